/// The state of a frame while it is processed.
///
/// It is created when the buffer arrives, and passed from step to step on the streaming thread.
struct FrameContext {
  /// The settings when the buffer arrived.
  let settings: Settings
  /// The presentation time in nanoseconds, or nil if it is missing.
  let time: UInt64?
  /// The presentation time as running time, or nil if it is missing or outside of the segment.
  let runningTime: UInt64?
  /// The way to process the frame.
  var plan = FramePlan.infer
  /// Whether the mapped memory contains the input picture: newly allocated memory may not.
  var hasPicture = false
  /// Whether the result hides the real background, so that it may be sent again for another frame.
  var resultHidesRoom = false
}
