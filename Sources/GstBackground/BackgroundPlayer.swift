import Compositing

/// What is to stand behind the person.
public enum LoadedBackground: Sendable {
  case still(Plate)
  /// There is a plate in it already.
  case moving(PlateFeed)
}

/// Shows a background frame by frame: of a video, the picture that its time has come for.
///
/// Used on the thread of the frames. None of it waits.
public struct BackgroundPlayer {
  /// Of a video.
  private var feed: PlateFeed?
  private var clock = BackgroundClock()

  /// Makes one that shows nothing.
  public init() {}

  /// Goes on to a frame, at a running time in nanoseconds if it has one; to be called at each.
  public mutating func advance(to time: UInt64?) { clock.advance(to: time) }

  /// Notes that the next frame does not follow the last one: a video goes on from where it is.
  public mutating func recordJump() { clock.recordJump() }

  /// Shows a background from this frame on, in place of another.
  ///
  /// Returns the plate of an image; those of a video come from `takePlate`, which goes on where the
  /// same video was.
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

  /// The plate of a video for this frame; nil when it is the one that was taken last.
  public func takePlate() -> Plate? { feed?.takePlate(at: clock.position) }

  /// Why a video gives no more pictures, and what is worth a line in the log; both once.
  public func takeNews() -> (fault: BackgroundError?, note: String?) {
    feed?.takeNews() ?? (nil, nil)
  }
}
