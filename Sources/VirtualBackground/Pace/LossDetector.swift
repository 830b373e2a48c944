/// A lasting loss of frames.
package struct Overload: Equatable, Sendable {
  /// The cause of lost frames.
  package enum Cause: Sendable {
    /// The work of this element.
    case work
    /// Downstream elements that block the thread, for example a sink that waits for its clock.
    case downstream
  }

  package var cause: Cause
  /// The average time that the cause takes per frame, in nanoseconds.
  package var time: UInt64
  /// Frames that are lost per second.
  package var lostFrames: Double
}

/// Detects when a live stream loses frames because its thread is too busy.
struct LossDetector: Sendable {
  /// The minimum duration of a loss in nanoseconds: a short load needs no warning.
  private static let minDuration: UInt64 = 2_000_000_000
  /// The minimum share of lost frames: viewers hardly notice less.
  private static let minLostShare = 0.05

  private struct Loss {
    let cause: Overload.Cause
    let begin: UInt64
    var frames: UInt64 = 0
    var time: UInt64 = 0
    var lostFrames = 0
  }

  private var loss: Loss?

  /// Adds a window, and returns the loss if it has lasted long enough, or nil.
  mutating func add(_ window: LoadWindow) -> Overload? {
    // A camera lowers its rate in the dark, so missing frames count only if the thread is busy.
    // Late frames are dropped several at a time, so they count even if the thread is idle.
    let work = Double(window.work)
    let isBusy = work >= window.length * LoadWindow.sinkShare
    let isBlocked =
      !isBusy
      && work + Double(window.blockedTime) >= window.length * LoadWindow.reserveShare
    let isSlow = work >= window.frameTime * LoadWindow.sinkShare
    let lost =
      (isBusy || isBlocked ? window.missingFrames : 0)
      + (isBusy || isSlow ? window.droppedFrames : 0)
    guard Double(lost) >= Double(window.frames + lost) * Self.minLostShare else {
      loss = nil
      return nil
    }
    let cause = isBlocked ? Overload.Cause.downstream : .work
    if loss?.cause != cause { loss = nil }
    var loss = loss ?? Loss(cause: cause, begin: window.begin)
    loss.frames += UInt64(window.frames)
    loss.time &+= isBlocked ? window.blockedTime : window.work
    loss.lostFrames += lost
    let duration = window.end &- loss.begin
    self.loss = duration < Self.minDuration ? loss : nil
    guard self.loss == nil else { return nil }
    return Overload(
      cause: cause, time: loss.time / max(loss.frames, 1),
      lostFrames: Double(loss.lostFrames) / (Double(duration) / 1e9))
  }
}
