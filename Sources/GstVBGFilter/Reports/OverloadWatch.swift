/// Detects when a live stream loses frames because its thread is too busy.
///
/// Used on the streaming thread.
struct OverloadWatch {
  /// The cause of lost frames.
  enum Cause {
    /// The work of this element.
    case work
    /// Downstream elements that block the thread, for example a sink that waits for its clock.
    case downstream
  }

  /// A lasting loss of frames.
  struct Overload: Equatable {
    var cause: Cause
    /// The average time that the cause takes per frame, in nanoseconds.
    var time: UInt64
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
    /// Nanoseconds for which downstream blocked the thread.
    var blocked: UInt64 = 0
    /// The number of lost frames and the cause, set at the end of the window.
    var lost = 0
    var cause = Cause.work
    var time: UInt64 { cause == .work ? work : blocked }
  }

  /// Two windows in a row have to be bad: a moment's load is no reason for a warning.
  private static let windowLength: UInt64 = 1_000_000_000
  /// Fewer lost frames than one in twenty are hardly seen.
  private static let leastLost = 1.0 / 20
  /// The share of the time that the work has to take if frames are lost to it, and not elsewhere.
  ///
  /// Sinks leave 20 ms for the work: at 30 frames a second that is 0.6 of the time.
  private static let leastShare = 0.6
  /// The minimum share of time for work and blocking together, for downstream to be the cause.
  private static let busyShare = 0.85

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

  /// Adds the nanoseconds for which downstream blocked the thread with a frame.
  mutating func noteBlocked(_ time: UInt64) {
    window?.blocked += time
  }

  /// Passes no judgement on what was before.
  mutating func restart() {
    window = nil
    last = nil
  }

  /// Adds the work on a frame and returns an overload that has lasted for two seconds.
  ///
  /// The work ended at `now`, a time of a monotonic clock. `frameDuration` is the negotiated
  /// duration, if any. All three are in nanoseconds.
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
    // A camera lowers its rate in the dark, so missing frames count only if the thread is always
    // busy. Late frames are dropped here, several at once, so they count even if the thread is
    // idle.
    let isBusy = Double(window.work) >= Double(length) * Self.leastShare
    let isBlocked =
      !isBusy && Double(window.work + window.blocked) >= Double(length) * Self.busyShare
    let isSlow =
      frameDuration.map {
        Double(window.work) >= Double($0) * Double(window.frames) * Self.leastShare
      } ?? isBusy
    window.cause = isBlocked ? .downstream : .work
    window.lost =
      (isBusy || isBlocked ? window.missing : 0) + (isBusy || isSlow ? window.late : 0)
    guard Double(window.lost) >= Double(window.frames + window.lost) * Self.leastLost else {
      last = nil
      return nil
    }
    defer { last = window }
    guard let last, last.cause == window.cause else { return nil }
    return Overload(
      cause: window.cause,
      time: (last.time + window.time) / UInt64(last.frames + window.frames),
      lostFrames: Double(last.lost + window.lost) / (Double(now - last.begin) / 1e9))
  }
}
