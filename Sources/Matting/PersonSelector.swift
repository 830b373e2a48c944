import PixelTypes

/// The frame of the matte in progress, and the settings for it.
package struct MatteContext {
  /// The upright frame and its format.
  package let frame: Frame, format: FrameFormat
  /// The frame on the grid of the matte, and the parameters for the matte.
  package let input: MatteInput
  /// The `MatteClock` ticks since the previous matte.
  package let ticks: Int
  /// The columns of the matte that the networks processed.
  package var seenColumns: Range<Int>

  package init(
    frame: Frame, format: FrameFormat, input: MatteInput, ticks: Int, seenColumns: Range<Int>
  ) {
    (self.frame, self.format, self.input) = (frame, format, input)
    (self.ticks, self.seenColumns) = (ticks, seenColumns)
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
