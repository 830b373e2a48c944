import InferenceTypes
import PixelTypes

/// A tracked face, in pixels of the frame.
public struct SeenFace: Equatable, Sendable {
  /// A unique number that stays with the face as long as it is tracked.
  public var id: Int
  /// The middle of the face.
  public var x: Double, y: Double
  /// The width from cheek to cheek.
  public var width: Double

  /// Creates a face.
  public init(id: Int, x: Double, y: Double, width: Double) {
    (self.id, self.x, self.y, self.width) = (id, x, y, width)
  }
}

/// Finds and tracks the faces of a stream to separate touching people.
///
/// Not thread-safe.
public protocol FaceFinder: AnyObject {
  /// Returns the tracked faces in a frame of `format` at `time` nanoseconds.
  ///
  /// A face that turns away may remain among them for a while.
  ///
  /// `isShown` returns whether the matte shows a person at a column and a row of the frame.
  ///
  /// Throws `SegmentationError` if the inference fails.
  func find(
    in frame: Frame, format: FrameFormat, at time: UInt64, isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) -> [SeenFace]

  /// Forgets all faces because the next frame shows another scene.
  func reset()
}
