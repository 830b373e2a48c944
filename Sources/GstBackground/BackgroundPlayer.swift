import Compositing

/// A background that is ready to be shown behind the person.
public enum LoadedBackground: Sendable {
  /// The plate of a still picture.
  case still(Plate)
  /// The feed of a video, with its first plate ready.
  case moving(PlateFeed)
}

/// Selects the plate of a background for each frame: for a video, the one that is due.
///
/// A video advances with the running time of the frames. It pauses with the stream, because no
/// frames arrive then. It also does not advance across a jump in the stream, because the running
/// time may restart there. `recordJump` reports a jump. A step backwards, or of more than an hour,
/// also counts as a jump.
///
/// Not thread-safe: use it on the thread that processes the frames. No method blocks.
public struct BackgroundPlayer {
  /// The duration in nanoseconds of a frame without a time.
  private static let usualLength: UInt64 = 33_333_333
  /// The maximum time between two consecutive frames, in nanoseconds: an hour.
  private static let longestStep: UInt64 = 3_600_000_000_000

  /// The plates of the current video, or nil if there is no background or it is an image.
  private var feed: PlateFeed?
  /// The time for which the background has been shown, in nanoseconds.
  private(set) var position: UInt64 = 0
  /// The running time of the last frame, or nil if it is missing or a jump follows.
  private var last: UInt64?

  /// Creates a player without a background.
  public init() {}

  /// Advances to the next frame.
  ///
  /// `time` is the frame's running time in nanoseconds, or nil if it is missing. This method must
  /// be called for each frame.
  public mutating func advance(to time: UInt64?) {
    if let time {
      if let last, time > last, time - last <= Self.longestStep { position &+= time - last }
    } else {
      position &+= Self.usualLength
    }
    last = time
  }

  /// Records that the next frame does not follow the last one.
  ///
  /// A video continues from its current position.
  public mutating func recordJump() { last = nil }

  /// Sets the background to show from this frame on.
  ///
  /// Returns the plate of an image, or nil for a video: `consumePlate` returns its plates. If
  /// the same video was shown before, it continues from its current position. Another video begins
  /// at its start.
  public mutating func show(_ background: LoadedBackground) -> Plate? {
    switch background {
    case .still(let plate):
      feed = nil
      return plate
    case .moving(let new):
      if !new.isOfSameVideo(as: feed) { position = 0 }
      feed = new
      return nil
    }
  }

  /// Removes the background.
  public mutating func clear() { feed = nil }

  /// Returns the plate of a video for this frame.
  ///
  /// Returns nil if the plate that was returned last is still due, or if there is no video.
  public func consumePlate() -> Plate? { feed?.consumePlate(at: position) }

  /// Returns the reason why a video has no more pictures, and a note for the log.
  ///
  /// Each is returned once. It is nil if there is nothing to report.
  public func consumeNews() -> (fault: BackgroundError?, note: String?) {
    feed?.consumeNews() ?? (nil, nil)
  }
}
