/// Computes the times of pictures in a looping video, in nanoseconds.
///
/// The timestamps of a stream restart with each pass. They may begin at any value, and may be
/// missing. The pictures determine the length of a pass, even if the sound is longer. Timestamps
/// and durations come from files, so they may have any value.
struct LoopTimeline {
  /// The assumed duration of a picture without a duration.
  private static let usualLength: UInt64 = 40_000_000
  /// The maximum of all times, which is longer than every video.
  ///
  /// Sums of a few such times do not overflow.
  private static let longest: UInt64 = 1 << 60

  /// The durations of a pass's pictures, which replace the buffers' durations.
  var delays: [UInt64] = []

  /// The start time of the pass.
  private var start: UInt64 = 0
  /// The timestamp of the first picture of the pass that has one.
  private var firstStamp: UInt64?
  /// The start and end of the last picture, relative to the start of the pass.
  private var last: (time: UInt64, end: UInt64)?
  /// The sum of the durations of all pictures of the pass.
  private var sum: UInt64 = 0
  /// The number of pictures in the pass so far.
  private var count = 0
  /// The maximum rounding error of times in containers.
  private static let rounding: UInt64 = 1_000_000

  /// A picture's start and end time.
  struct Place: Equatable {
    var time: UInt64
    var end: UInt64
  }

  /// Returns the start and end time of the next picture.
  ///
  /// `stamp` and `duration` are the timestamp and duration of its buffer, or nil if missing.
  mutating func place(stamp: UInt64?, duration: UInt64?) -> Place {
    let stamp = stamp.map { min($0, Self.longest) }
    let duration = count < delays.count ? delays[count] : duration
    count += 1
    if firstStamp == nil { firstStamp = stamp }
    var time = last?.end ?? 0
    if let stamp, let firstStamp, stamp >= firstStamp {
      let given = stamp - firstStamp
      // All pictures of a GIF have the same timestamp, so it must not be used.
      if last.map({ given > $0.time }) ?? true { time = given }
    }
    let interval = last.map { time - $0.time } ?? 0
    var length = duration.map { min($0, Self.longest) } ?? interval
    if length == 0 { length = Self.usualLength }
    let end = min(time + length, Self.longest)
    last = (time, end)
    sum = min(sum + length, Self.longest)
    return Place(time: start + time, end: start + end)
  }

  /// Ends the current pass and begins the next one at its end.
  ///
  /// Passes that would end before `now` are skipped. Returns false if the current pass had no
  /// picture.
  mutating func endPass(now: UInt64) -> Bool {
    guard let last else { return false }
    // Durations are often exact when timestamps are rounded. With rounded lengths, the error would
    // grow with each pass.
    let isSame = max(sum, last.end) - min(sum, last.end) <= Self.rounding
    let length = isSame ? sum : last.end
    start = min(start + length, Self.longest)
    let now = min(now, Self.longest)
    if now > start { start += (now - start) / length * length }
    self.last = nil
    firstStamp = nil
    sum = 0
    count = 0
    return true
  }
}
