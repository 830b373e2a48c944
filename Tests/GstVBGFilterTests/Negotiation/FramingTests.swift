import CGStreamer
import CTestSupport
import TestSupport
import Testing

@testable import GstVBGFilter

/// `framing=follow` in the element.
@Suite struct FramingTests {
  /// A red person in the lower left quarter of a blue picture.
  private func picture(_ filter: TestFilter) -> TestPicture {
    let picture = TestPicture(format: filter.stream.frameFormat, (20, 60, 220))
    let (width, height) = (picture.format.width, picture.format.height)
    picture.paint((210, 20, 30)) { x, y in 8 * x >= width && 4 * x < width && 2 * y >= height }
    return picture
  }

  /// Sends frames until the region stands still, and returns the last output.
  private func settle(
    _ filter: TestFilter, _ kinds: [CarriedMeta] = []
  ) throws -> UnsafeMutablePointer<GstBuffer> {
    let cover = unsafe try CoverPicture(seed: 3).makeBuffer()
    defer { unsafe GStreamer.unrefMini(cover) }
    for index in 0..<250 {
      let buffer = unsafe filter.makeBuffer(
        picture(filter), hasMeta: true, time: UInt64(index) * 33_333_333)
      for kind in kinds { unsafe carried_attach(buffer, kind, cover) }
      let seen = unsafe try filter.output(of: buffer)
      if index == 249 { return unsafe seen }
      unsafe GStreamer.unrefMini(seen)
    }
    throw CancellationError()
  }

  @Test(
    "enlarges the frame and reports the region, also without an effect",
    arguments: ["none", "color"])
  func enlarges(effect: String) throws {
    let filter = try TestFilter(["effect": effect, "framing": "follow"])
    let seen = unsafe try settle(filter)
    defer { unsafe GStreamer.unrefMini(seen) }
    let size = try filter.statisticFraction("region-size")
    #expect(abs(size - 0.5) < 0.05)
    #expect(try filter.statisticFraction("region-x") == 0)
    let shown = unsafe try filter.stream.picture(in: seen)
    // The person ends at a quarter of the frame, and so at half of the output.
    let red = shown.chroma(120, 170).cr
    #expect(shown.chroma(100, 170).cr == red && shown.chroma(150, 170).cr == red)
    #expect(shown.chroma(180, 170).cr < red - 20)
    #expect(filter.messages().isEmpty)
  }

  @Test("moves regions of interest with the picture, and drops metas that it cannot move")
  func metas() throws {
    for output in ["NV12", "RGBA"] {
      let filter = try TestFilter(
        sink: "video/x-raw, format=\(output)", ["effect": "color", "framing": "follow"])
      let seen = unsafe try settle(
        filter, [CARRIED_REGION, CARRIED_BARS, CARRIED_ACTIVE_FORMAT, CARRIED_CAPTIONS])
      defer { unsafe GStreamer.unrefMini(seen) }
      let (x, y) = (
        try filter.statisticFraction("region-x"), try filter.statisticFraction("region-y")
      )
      let zoom = 1 / (try filter.statisticFraction("region-size"))
      // The region of the input is 40 by 50 pixels at (20, 30).
      let top = max((30 - y * 180) * zoom, 0)
      let bottom = (80 - y * 180) * zoom
      let region = unsafe gst_buffer_get_video_region_of_interest_meta_id(seen, 0)
      if bottom <= 0.5 {
        #expect(unsafe region == nil)
      } else {
        let moved = unsafe try #require(region).pointee
        #expect(unsafe abs(Double(moved.x) - (20 - x * 320) * zoom) < 1)
        #expect(unsafe abs(Double(moved.y) - top) < 1)
        #expect(unsafe abs(Double(moved.w) - 40 * zoom) <= 1)
        #expect(unsafe abs(Double(moved.y + moved.h) - bottom) < 1)
      }
      #expect(unsafe carried_is_attached(seen, CARRIED_BARS) == 0)
      #expect(unsafe carried_is_attached(seen, CARRIED_ACTIVE_FORMAT) == 0)
      #expect(unsafe carried_is_attached(seen, CARRIED_CAPTIONS) != 0)
    }
  }

  @Test("reports the whole frame while frames pass unchanged")
  func passthrough() throws {
    let filter = try TestFilter(["effect": "color", "framing": "follow"])
    unsafe GStreamer.unrefMini(try settle(filter))
    #expect(try filter.statisticFraction("region-size") < 0.6)
    filter.set("active", "false")
    _ = try filter.process()
    #expect(try filter.statisticFraction("region-size") == 1)
    #expect(try filter.statisticFraction("region-x") == 0)
  }
}
