/// The times of the pictures of a video that is played in a loop, in nanoseconds.
///
/// The times of a stream restart with each pass. They need not begin with 0 and may be missing. The
/// pictures determine the length of a pass, even if the sound is longer. All numbers come from
/// files.
struct LoopTimeline {
  /// The duration of a picture without a duration.
  private static let usualLength: UInt64 = 40_000_000
  /// Longer than every video.
  ///
  /// Sums of a few such times do not overflow.
  private static let longest: UInt64 = 1 << 60

  /// The start time of the pass.
  private var start: UInt64 = 0
  /// The time that the stream gave the first picture of the pass.
  private var firstStamp: UInt64?
  /// The last picture, counted from the start of the pass.
  private var last: (time: UInt64, end: UInt64)?
  /// The lengths of the pass's pictures, together.
  private var sum: UInt64 = 0
  /// The maximum rounding error of times in containers.
  private static let rounding: UInt64 = 1_000_000

  /// A picture's start and end time.
  struct Place: Equatable {
    var time: UInt64
    var end: UInt64
  }

  /// Finds the place of the next picture, by its time and duration in the stream.
  mutating func place(stamp: UInt64?, duration: UInt64?) -> Place {
    let stamp = stamp.map { min($0, Self.longest) }
    if firstStamp == nil { firstStamp = stamp }
    var time = last?.end ?? 0
    if let stamp, let firstStamp, stamp >= firstStamp {
      let given = stamp - firstStamp
      // GIFs give all their pictures the same time.
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

  /// Ends a pass.
  ///
  /// Returns false if it had no picture. The next pass begins at its end. Whole passes before `now`
  /// are skipped.
  mutating func endPass(now: UInt64) -> Bool {
    guard let last else { return false }
    // The lengths are often exact when the times are rounded. Rounding errors would add up from
    // pass to pass.
    let isSame = max(sum, last.end) - min(sum, last.end) <= Self.rounding
    let length = isSame ? sum : last.end
    start = min(start + length, Self.longest)
    let now = min(now, Self.longest)
    if now > start { start += (now - start) / length * length }
    self.last = nil
    firstStamp = nil
    sum = 0
    return true
  }
}
