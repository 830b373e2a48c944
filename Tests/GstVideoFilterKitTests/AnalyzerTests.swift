import CGStreamer
import TestSupport
import Testing
import Threads

@testable import GstVideoFilterKit

/// Elements that analyse frames without changing them.
@Suite struct AnalyzerTests {
  @Test("posts a result with fields of all types as an element message")
  func postsResult() throws {
    let element = try TestElement("kit-mean")
    try element.start(width: 64, height: 32)
    let text = try element.process(77, untilThereIs: GST_MESSAGE_ELEMENT)
    #expect(text.hasPrefix("kit-mean,"), "\(text)")
    #expect(text.contains("mean=(int)77"), "\(text)")
    for part in [
      "sizes=(gint64)< 16, 9223372036854775807 >", "shares=(double)< 0.25, 2 >",
      "names=(string)< a, \"b c\" >", "large=(gint64)9223372036854775807", "sure=(boolean)true",
      "half=(double)0.5", "x=(int)3", "timestamp=(guint64)",
    ] {
      // GStreamer versions write the types of arrays differently.
      let bare = text.replacing("(GstValueArray)", with: "").replacing("\\", with: "")
      #expect(bare.contains(part), "\(text)")
    }
  }

  @Test func resultsArePassedToObservers() throws {
    let element = try TestElement("kit-switcher", ["filter": "kit-mean"])
    let seen = Monitor<[Mean]>([])
    let target = unsafe UnsafeMutableRawPointer(element.element)
    #expect(unsafe SlowMean.observe(target) { mean, _ in seen.withLock { $0.append(mean) } })
    #expect(unsafe FirstColor.observe(target) { _, _ in })
    try element.start(width: 32, height: 8)
    try Patience.wait {
      _ = try element.process(9)
      return seen.withLock { !$0.isEmpty }
    }
    #expect(seen.withLock { $0.first } == Mean(mean: 9, width: 16))
    let other = try TestElement("kit-gray")
    #expect(unsafe !SlowMean.observe(UnsafeMutableRawPointer(other.element)) { _, _ in })
    let foreign = unsafe try #require(gst_element_factory_make("identity", nil))
    #expect(unsafe !SlowMean.observe(UnsafeMutableRawPointer(foreign)) { _, _ in })
    unsafe g_object_unref(UnsafeMutableRawPointer(foreign))
  }

  @Test func errorsAreWarnings() throws {
    let element = try TestElement("kit-mean", ["fails": "true"])
    try element.start()
    let warning = try element.process(9, untilThereIs: GST_MESSAGE_WARNING)
    #expect(warning.contains("kit-mean: nothing to be seen"), "\(warning)")
  }

  @Test(arguments: ["NV12", "I420", "RGBA"]) func picturesHaveTheStreamsColors(_ format: String)
    throws
  {
    let element = try TestElement("kit-color")
    try element.start(format, width: 600, height: 32, colorimetry: "bt709")
    // Pure green in BT.709 with limited range.
    let (y, cb, cr): (UInt8, UInt8, UInt8) = (173, 42, 26)
    let luma = Array(repeating: y, count: 600 * 32)
    let bytes: [UInt8] =
      switch format {
      case "NV12": luma + (0..<300 * 16).flatMap { _ in [cb, cr] }
      case "I420":
        luma + Array(repeating: cb, count: 300 * 16) + Array(repeating: cr, count: 300 * 16)
      default: (0..<600 * 32).flatMap { _ in [0, 255, 0, 9] as [UInt8] }
      }
    let message = try element.process(bytes: bytes, untilThereIs: GST_MESSAGE_ELEMENT)
    func field(_ name: String) throws -> Int {
      let start = try #require(message.firstRange(of: "\(name)=(int)")).upperBound
      return try #require(Int(message[start...].prefix { $0.isNumber }))
    }
    #expect(try field("red") <= 3)
    #expect(try field("green") >= 252)
    #expect(try field("blue") <= 3)
  }

  @Test(
    "converts RGBA to the luma that the stream's colorimetry gives it",
    arguments: [
      (Colorimetry(matrix: .bt709, range: .limited), [0, 255, 0, 9], 173),
      (Colorimetry(matrix: .bt709, range: .full), [0, 255, 0, 9], 182),
      (Colorimetry(matrix: .bt601, range: .limited), [255, 0, 0, 9], 81),
      (Colorimetry(matrix: .bt601, range: .full), [255, 255, 255, 9], 255),
    ] as [(Colorimetry, [UInt8], Int)])
  func convertsRGBAToLuma(_ colorimetry: Colorimetry, _ pixel: [UInt8], _ expected: Int) throws {
    // With and without a block at the edge that has fewer pixels.
    for width in [7, 40, 41] {
      let stream = VideoStream(width: width, height: 6, format: .rgba, colorimetry: colorimetry)
      var analyzer = SlowMean()
      let frame = (0..<width * 6).flatMap { _ in pixel }
      let results = try analyzer.analyze([frame, frame], of: stream, every: .seconds(1))
      #expect(results.map { $0?.mean } == [expected, expected])
    }
  }

  @Test(
    arguments: [
      (nil, 90), (10, 30), (12, 36), (25, 75), (29.97, 90), (60, 90), (1, 3), (0, 1),
      (-1, 1), (.nan, 1), (.infinity, 90),
    ] as [(Double?, Int)])
  func picturesComeAtTheRequestedRate(_ perSecond: Double?, _ expected: Int) {
    let stream = VideoStream(width: 2, height: 2, format: .nv12, framesPerSecond: 30)
    var pace = AnalysisPace(perSecond: perSecond, of: stream)
    var taken = 0
    for frame in 0..<90 {
      // Add a few milliseconds of jitter, like a camera.
      let time = Duration.milliseconds(1000 * frame / 30 + [0, 3, -2][frame % 3])
      guard pace.isDue(at: time) else { continue }
      pace.take(pictureAt: time)
      taken += 1
    }
    #expect(abs(taken - expected) <= expected / 20)
    // A step back in time, and a frame without a timestamp.
    #expect(pace.isDue(at: .milliseconds(-2)))
    #expect(pace.isDue(at: nil))
  }
}
