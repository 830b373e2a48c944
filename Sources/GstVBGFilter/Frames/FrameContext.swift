/// What is known of a frame while it is worked on.
///
/// Made when its buffer comes, handed from step to step on the streaming thread, and dropped with the
/// frame.
struct FrameContext {
  /// The settings when it came.
  let settings: Settings
  /// When it is to be shown, in nanoseconds; nil when its buffer does not say.
  let time: UInt64?
  /// The same in running time; nil outside of the segment.
  let runningTime: UInt64?
  /// What is done with it.
  var plan = FramePlan.infer
  /// Whether the mapped memory shows what the camera saw, and not just fresh memory.
  var hasPicture = false
  /// Whether the room is hidden in the result, so that this may stand in for another frame's.
  var resultHidesRoom = false
}
