import InferenceTypes
import PixelTypes

/// The frame of the matte in progress, and the settings for it.
package struct MatteContext {
  /// The upright frame and its format.
  package let frame: Frame, format: FrameFormat
  /// The frame on the grid of the matte.
  package let picture: Frame
  /// The time of the frame in nanoseconds, and the `MatteClock` ticks since the previous matte.
  package let time: UInt64, ticks: Int
  /// The user's settings.
  package let settings: MatteSettings
  /// The columns of the matte that the networks processed.
  package var seenColumns: Range<Int>

  package init(
    frame: Frame, format: FrameFormat, picture: Frame, time: UInt64, ticks: Int,
    settings: MatteSettings, seenColumns: Range<Int>
  ) {
    (self.frame, self.format, self.picture) = (frame, format, picture)
    (self.time, self.ticks) = (time, ticks)
    (self.settings, self.seenColumns) = (settings, seenColumns)
  }
}

/// Removes the people that are not selected from mattes, unless `keep` is `everyone`.
///
/// Not thread-safe.
package protocol PersonSelector: AnyObject {
  /// Clears all of `matte` except the selected people.
  ///
  /// Finds and judges the connected components with `filter`. Throws `SegmentationError` if an
  /// inference that it needs fails.
  func select(
    in matte: Matte, of context: MatteContext, with filter: ComponentFilter
  ) throws(SegmentationError)

  /// Discards all people, because the next frame shows another scene.
  func reset()
}
