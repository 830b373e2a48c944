/// The user's settings for mattes.
public struct MatteSettings: Equatable, Sendable {
  /// The people to show.
  public enum Keep: Equatable, Sendable {
    /// All people.
    case everyone
    /// The largest person, or a person close in front of them.
    ///
    /// The choice changes when another person is clearly larger for a while.
    case nearest
    /// The person who has been visible the longest.
    case tracked
  }

  /// The frames that get an inference.
  public enum Inference: Equatable, Sendable {
    /// All frames.
    case everyFrame
    /// Frames to which the last matte cannot be warped without visible errors, and one per second
    /// in a still scene.
    case whenNeeded
  }

  /// The people to show.
  public var keep = Keep.everyone
  /// Outward shift of the edge in pixels of a 720-line frame, -50 to 50: negative shrinks.
  public var grow = 0.0
  /// Width of a ramp at the edge in pixels of a 720-line frame, -50 to 50.
  ///
  /// The ramp is outside of the opaque area, or inside of the visible area if negative.
  public var feather = 0.0
  /// Strength of the temporal smoothing, 0 (off) to 1 (strongest).
  public var smoothing = 0.5

  /// Creates settings with the element's defaults.
  public init() {}
}
