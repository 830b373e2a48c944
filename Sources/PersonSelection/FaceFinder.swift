import InferenceTypes
import PixelTypes

/// Finds the faces in the frames of a stream to separate touching people.
///
/// Not thread-safe.
public protocol FaceFinder: AnyObject {
  /// Returns the faces in a frame of `format` at `time` nanoseconds.
  ///
  /// `isShown` returns whether the matte shows a person at a column and a row of the frame.
  ///
  /// Throws `SegmentationError` if the inference fails.
  func find(
    in frame: Frame, format: FrameFormat, at time: UInt64, isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) -> [Face]

  /// Forgets where faces were, because the next frame shows another scene.
  func reset()
}
