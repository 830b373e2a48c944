import CGStreamer
import Testing

@testable import GstVideoFilterKit

/// The effect of filters on frames.
@Suite struct FilterTests {
  @Test func theExampleRemovesTheColorFromBothLayouts() throws {
    for (format, width, height) in [("NV12", 4, 4), ("I420", 8, 6), ("NV12", 7, 5), ("I420", 7, 5)]
    {
      let element = try TestElement("kit-gray")
      try element.start(format, width: width, height: height)
      let (isNV12, half) = (format == "NV12", (width + 1) / 2)
      var info = unsafe GstVideoInfo()
      unsafe gst_video_info_set_format(
        &info, isNV12 ? GST_VIDEO_FORMAT_NV12 : GST_VIDEO_FORMAT_I420, guint(width), guint(height))
      let planes = unsafe [
        (info.offset.0, info.stride.0, width),
        (info.offset.1, info.stride.1, isNV12 ? 2 * half : half),
        (info.offset.2, info.stride.2, isNV12 ? 0 : half),
      ]
      let output = try element.process(33)
      for (number, (start, stride, columns)) in planes.enumerated() {
        for y in 0..<(number == 0 ? height : (height + 1) / 2) {
          for x in 0..<columns {
            #expect(output[Int(start) + y * Int(stride) + x] == (number == 0 ? 33 : 128))
          }
        }
      }
    }
  }

  @Test func anInactiveFilterPassesAllFrames() throws {
    let element = try TestElement("kit-brighter")
    try element.start()
    #expect(try element.process(100)[0] == 110)
    element.set("active", "false")
    #expect(try element.process(100)[0] == 100)
    element.set("active", "true")
    #expect(try element.process(100)[0] == 110)
  }

  @Test func anErrorIsReportedOnceAndOnErrorSelectsTheOutput() throws {
    for (then, frame): (String, [UInt8]?) in [
      ("as-is", [235, 235, 100, 100]), ("untouched", [100, 100, 100, 100]),
      ("black", [16, 16, 16, 16]), ("drop", nil),
    ] {
      let element = try TestElement("kit-throws", ["then": then])
      try element.start("I420", width: 2, height: 2)
      for round in 1...30 {
        #expect(try element.push(100) == GST_FLOW_OK)
        let output = element.pull()
        if round % 3 == 0 {
          // GStreamer pads rows to four bytes.
          #expect(output.map { [$0[0], $0[1], $0[4], $0[5]] } == frame)
        } else {
          #expect(output?[0] == 100)
        }
      }
      let warnings = element.messages(GST_MESSAGE_WARNING)
      #expect(warnings.count == 1)
      #expect(
        warnings.first?.contains("kit-throws: the third frame is not liked") == true, "\(warnings)")
    }
  }

  @Test(arguments: ["as-is", "untouched", "black", "drop"])
  func afterAWarningTheFrameIsSentAsTheFilterLeftIt(_ then: String) throws {
    let element = try TestElement("kit-throws", ["then": then, "only-warns": "true"])
    try element.start("I420", width: 2, height: 2)
    for round in 1...6 {
      let output = try element.process(100)
      #expect(
        [output[0], output[1], output[4], output[5]]
          == (round % 3 == 0 ? [235, 235, 100, 100] : [100, 100, 100, 100]))
    }
    let warnings = element.messages(GST_MESSAGE_WARNING)
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.contains("kit-throws: the third frame is not liked") == true, "\(warnings)")
  }

  @Test func aFailedRGBAFrameBecomesBlackAndOpaque() throws {
    let element = try TestElement("kit-throws", ["then": "black"])
    try element.start("RGBA", width: 3, height: 2)
    for _ in 1...2 { _ = try element.process(7) }
    #expect(try element.process(7) == Array(repeating: [0, 0, 0, 255], count: 6).flatMap { $0 })
  }

  @Test func aSlowFilterLosesNoFrame() throws {
    let element = try TestElement("kit-sleeper")
    try element.start()
    for _ in 0..<5 { #expect(try element.process(1)[16] == 100) }
    #expect(element.messages(GST_MESSAGE_WARNING).isEmpty)
  }

  @Test func anErrorInSetUpEndsTheStreamAndNamesTheFilter() throws {
    let element = try TestElement("kit-brighter", ["label": "refused"])
    try element.start()
    #expect(try element.push() == GST_FLOW_ERROR)
    #expect(element.pull() == nil)
    let errors = element.messages(GST_MESSAGE_ERROR)
    #expect(errors.count == 1)
    #expect(errors.first?.contains("kit-brighter: no such label") == true, "\(errors)")
  }

  @Test func aBufferThatIsTooSmallIsNotTouched() throws {
    let element = try TestElement("kit-brighter")
    try element.start(width: 16, height: 16)
    #expect(try element.push(bytes: [1, 2, 3]) == GST_FLOW_OK)
    #expect(element.pull() == [1, 2, 3])
    #expect(element.messages(GST_MESSAGE_WARNING).count == 1)
    let dropping = try TestElement("kit-throws", ["then": "drop"])
    try dropping.start(width: 16, height: 16)
    #expect(try dropping.push(bytes: [1, 2, 3]) == GST_FLOW_OK)
    #expect(dropping.pull() == nil)
  }
}
