/// What the user wants of a matte.
public struct MatteSettings: Equatable, Sendable {
  /// Which people are shown.
  public enum Keep: Equatable, Sendable {
    /// All of them.
    case everyone
    /// The largest, or whoever stands close before them, until another is clearly larger for a while.
    case nearest
    /// The one who was there first.
    case tracked
  }

  /// Which frames get a matte of their own from the network.
  public enum Inference: Equatable, Sendable {
    /// All of them.
    case everyFrame
    /// Those to which the last matte cannot be warped without showing it, and one per second of a scene
    /// in which nothing moves.
    case whenNeeded
  }

  /// Which people are shown.
  public var keep: Keep
  /// Outward shift of the edge in pixels of a 720-line frame, -50 to 50; negative shrinks.
  public var grow: Double
  /// Width of a ramp beside the edge in pixels of a 720-line frame, -50 to 50: outside of what is
  /// opaque, or inside of what is not transparent if negative.
  public var feather: Double
  /// Temporal steadiness, 0 (none) to 1 (strongest).
  public var smoothing: Double

  /// Makes settings.
  public init(keep: Keep, grow: Double, feather: Double, smoothing: Double) {
    (self.keep, self.grow, self.feather, self.smoothing) = (keep, grow, feather, smoothing)
  }
}
