import InferenceTypes
import PixelTypes

/// A face that is followed from frame to frame, in pixels of the frame.
public struct SeenFace: Equatable, Sendable {
  /// Stays with the face for as long as it is followed; no other face gets it.
  public var id: Int
  /// The middle of the face.
  public var x: Double, y: Double
  /// From cheek to cheek.
  public var width: Double
  /// How sure the network is, 0 to 1: less of a face that another hides a part of.
  public var score: Double

  /// Makes a face.
  public init(id: Int, x: Double, y: Double, width: Double, score: Double) {
    (self.id, self.x, self.y, self.width, self.score) = (id, x, y, width, score)
  }
}

/// Finds and follows the faces of a stream, so that people who touch can be told apart.
///
/// Used on one thread at a time.
public protocol FaceFinder: AnyObject {
  /// The faces that are followed, in a frame of `format` at `time` nanoseconds; one that turns away may
  /// be among them for a while.
  ///
  /// `isShown` tells where the matte shows somebody: it takes a column and a row of the frame.
  ///
  /// Throws `SegmentationError` when the inference fails.
  func find(
    in frame: Frame, format: FrameFormat, at time: UInt64, isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) -> [SeenFace]

  /// Forgets all faces: the next frame is of another scene.
  func reset()
}
