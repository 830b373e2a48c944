/// The state of a frame while it is processed.
///
/// Made when its buffer comes, passed from step to step on the streaming thread, and dropped with
/// the frame.
struct FrameContext {
  /// The settings when it came.
  let settings: Settings
  /// The presentation time in nanoseconds, or nil if the buffer has none.
  let time: UInt64?
  /// The same in running time, or nil outside of the segment.
  let runningTime: UInt64?
  /// The treatment of the frame.
  var plan = FramePlan.infer
  /// Whether the mapped memory contains the camera's picture, as opposed to newly allocated memory.
  var hasPicture = false
  /// Whether the room is hidden in the result, so that it may replace another frame.
  var resultHidesRoom = false
}
