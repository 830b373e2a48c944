import CGStreamer
import TestSupport
import Testing

extension TemporaryFolder {
  /// Writes a picture of one colour, given as ARGB, and returns its path.
  func writePicture(
    _ name: String, color: UInt32, width: Int = 64, height: Int = 36
  ) throws -> String {
    let file = write(name)
    let pipeline = try RunningPipeline(
      "videotestsrc num-buffers=1 pattern=solid-color foreground-color=\(color) ! "
        + "video/x-raw, format=RGBA, width=\(width), height=\(height) ! pngenc ! "
        + "filesink location=\(file)")
    try #require(pipeline.change(to: GST_STATE_PLAYING))
    try pipeline.waitForEnd()
    return file
  }
}
