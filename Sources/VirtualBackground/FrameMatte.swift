import PixelTypes

/// The matte that a frame was composed with.
///
/// Safety: points into the engine's memory; valid until the engine is called again.
public struct FrameMatte {
  /// 255 for the person, 0 for the room; the samples lie `step` pixels of the frame apart, from its
  /// left and its upper edge on, and those of the last column and row may reach beyond it.
  public let samples: Plane
  /// Pixels of the frame from one sample to the next, in both directions: 1, 2, 4, 8 or 16.
  public let step: Int
  /// Whether the person was looked for in this very frame, and not in an earlier one.
  public let isInferred: Bool
}
