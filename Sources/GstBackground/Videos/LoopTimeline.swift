/// Where the pictures of a video that is played over and over stand in time, in nanoseconds.
///
/// The times of a stream begin anew with each pass, and need not begin with 0 nor be there at all. A
/// pass is as long as its pictures say; sound may be longer. All numbers come from files.
struct LoopTimeline {
  /// How long a picture is shown that does not say.
  private static let usualLength: UInt64 = 40_000_000
  /// Far beyond every video; sums of a few do not overflow.
  private static let longest: UInt64 = 1 << 60

  /// When the pass began.
  private var start: UInt64 = 0
  /// The time that the stream gave the first picture of the pass.
  private var firstStamp: UInt64?
  /// The last picture, counted from the start of the pass.
  private var last: (time: UInt64, end: UInt64)?
  /// The lengths of the pass's pictures, together.
  private var sum: UInt64 = 0
  /// How much containers round times by, at most.
  private static let rounding: UInt64 = 1_000_000

  /// A picture's place: from when until when it is to be shown.
  struct Place: Equatable {
    var time: UInt64
    var end: UInt64
  }

  /// Finds the place of the next picture, by what the stream says of its time and duration.
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

  /// Ends a pass; false when it had no picture.
  ///
  /// The next one begins where it ended. Whole passes that lie before `now` are left out.
  mutating func endPass(now: UInt64) -> Bool {
    guard let last else { return false }
    // The lengths are often exact where the times are rounded, which would add up from pass to pass.
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
