import GstVideoFilterKit
import Testing

@testable import MyFilters

/// Tests the filter on the bytes of a frame, without a pipeline.
@Suite struct TintTests {
  @Test(arguments: [(20, 148), (-30, 98), (0, 128)])
  func cbMovesByTheAmount(_ amount: Int, _ cb: UInt8) throws {
    let stream = VideoStream(width: 2, height: 2, format: .nv12)
    var tint = Tint()
    tint.amount = amount
    // Four samples of luma, then one of Cb and one of Cr.
    var bytes: [UInt8] = [16, 90, 180, 235, 128, 200]
    try tint.process(&bytes, of: stream)
    #expect(bytes == [16, 90, 180, 235, cb, 200])
  }

  @Test("clamps samples that are already blue to 255")
  func clampsBlue() throws {
    var tint = Tint()
    tint.amount = 64
    var bytes: [UInt8] = [16, 90, 180, 235, 250, 200]
    try tint.process(&bytes, of: VideoStream(width: 2, height: 2, format: .nv12))
    #expect(bytes[4] == 255)
  }
}
