import InferenceTypes
import PixelTypes

/// The frame whose matte is being made.
package struct MatteContext {
  /// The frame, upright, and its format.
  package let frame: Frame, format: FrameFormat
  /// The frame on the grid of the matte.
  package let picture: Frame
  /// The time of the frame in nanoseconds, and the ticks of a `MatteClock` since the matte before.
  package let time: UInt64, ticks: Int
  /// What the user wants of the matte.
  package let settings: MatteSettings
  /// The columns of the matte that the networks saw.
  package var seenColumns: Range<Int>
}

/// Leaves in each matte the people who are wanted, if not everyone is.
///
/// Used on one thread at a time.
package protocol PersonSelector: AnyObject {
  /// Empties whatever of `matte` is not a person who is wanted.
  ///
  /// Finds and judges the connected components with `filter`. Throws `SegmentationError` if an
  /// inference that it needs fails.
  func select(
    in matte: Matte, of context: MatteContext, with filter: ComponentFilter
  ) throws(SegmentationError)

  /// Forgets all people: the next frame shows another scene.
  func reset()
}
