import Compositing

/// A background that is ready to be shown behind the person.
public enum LoadedBackground: Sendable {
  case still(Plate)
  /// The feed has a plate already.
  case moving(PlateFeed)
}

/// Shows a background frame by frame: for a video, the picture that is due.
///
/// Used on the thread of the frames. No method waits.
public struct BackgroundPlayer {
  /// The plates of a video, or nil for an image.
  private var feed: PlateFeed?
  private var clock = BackgroundClock()

  /// Creates a player that shows nothing.
  public init() {}

  /// Advances to a frame, at a running time in nanoseconds if it has one.
  ///
  /// Must be called for each frame.
  public mutating func advance(to time: UInt64?) { clock.advance(to: time) }

  /// Notes that the next frame does not follow the last one.
  ///
  /// A video continues from its position.
  public mutating func recordJump() { clock.recordJump() }

  /// Shows a background from this frame on, in place of another.
  ///
  /// Returns the plate of an image. The plates of a video come from `consumePlate`, which continues
  /// from the position of the same video.
  public mutating func show(_ background: LoadedBackground) -> Plate? {
    switch background {
    case .still(let plate):
      feed = nil
      return plate
    case .moving(let new):
      if !new.isOfSameVideo(as: feed) { clock.restart() }
      feed = new
      return nil
    }
  }

  /// Shows nothing any more.
  public mutating func clear() { feed = nil }

  /// The plate of a video for this frame, or nil if it is the last one taken.
  public func consumePlate() -> Plate? { feed?.consumePlate(at: clock.position) }

  /// The reason why a video has no more pictures, and a note for the log, each returned once.
  public func consumeNews() -> (fault: BackgroundError?, note: String?) {
    feed?.consumeNews() ?? (nil, nil)
  }
}
