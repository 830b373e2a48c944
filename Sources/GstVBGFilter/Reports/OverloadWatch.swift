/// Notices when a live stream loses frames because the work on them takes too long.
///
/// Used on the streaming thread.
struct OverloadWatch {
  /// What the work takes on a machine that is too slow for it.
  struct Overload: Equatable {
    /// Nanoseconds for a frame, on average.
    var work: UInt64
    /// Frames that were lost in a second.
    var lostFrames: Double
  }

  private struct Window {
    let begin: UInt64
    var frames = 0
    /// Frames that were dropped because they came too late.
    var late = 0
    /// Frames that never came.
    var missing = 0
    var work: UInt64 = 0
    /// Those frames that were lost to the work, once the window has ended.
    var lost = 0
  }

  /// Two windows in a row have to be bad: a moment's load is no reason for a warning.
  private static let windowLength: UInt64 = 1_000_000_000
  /// Fewer lost frames than one in twenty are hardly seen.
  private static let leastLost = 1.0 / 20
  /// The share of the time that the work has to take if frames are lost to it, and not elsewhere.
  ///
  /// Sinks leave 20 ms for the work: at 30 frames a second that is 0.6 of the time.
  private static let leastShare = 0.6

  private var window: Window?
  private var last: Window?

  /// Notes a frame that is dropped because it came too late.
  mutating func noteLate() {
    window?.late += 1
  }

  /// Notes frames that never came.
  mutating func noteMissing(_ frames: Int) {
    window?.missing += frames
  }

  /// Passes no judgement on what was before.
  mutating func restart() {
    window = nil
    last = nil
  }

  /// Takes in the nanoseconds of work on a frame, done at `now`, in nanoseconds of a clock that only
  /// goes forward; says what is too much, once it has been for two seconds.
  ///
  /// `frameDuration` is what was negotiated; nil if nothing was.
  mutating func note(work: UInt64, frameDuration: UInt64?, at now: UInt64) -> Overload? {
    guard var window, now >= window.begin else {
      self.window = Window(begin: now)
      last = nil
      return nil
    }
    window.frames += 1
    window.work += work
    let length = now - window.begin
    guard length >= Self.windowLength else {
      self.window = window
      return nil
    }
    self.window = Window(begin: now)
    // A camera lowers its rate in the dark, so frames are missing for another reason unless the work
    // never ends. What is late is dropped here, so many frames at a time that much time may be left.
    let isBusy = Double(window.work) >= Double(length) * Self.leastShare
    let isSlow =
      frameDuration.map {
        Double(window.work) >= Double($0) * Double(window.frames) * Self.leastShare
      } ?? isBusy
    window.lost = (isBusy ? window.missing : 0) + (isBusy || isSlow ? window.late : 0)
    guard Double(window.lost) >= Double(window.frames + window.lost) * Self.leastLost else {
      last = nil
      return nil
    }
    defer { last = window }
    guard let last else { return nil }
    return Overload(
      work: (last.work + window.work) / UInt64(last.frames + window.frames),
      lostFrames: Double(last.lost + window.lost) / (Double(now - last.begin) / 1e9))
  }
}
