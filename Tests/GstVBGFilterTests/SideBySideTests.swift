import CGStreamer
import CGStreamerCheck
import InferenceTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// The size at which `quality=balanced` sees people side by side: made when there are any.
@Suite struct SideBySideTests {
  private let folder = TemporaryFolder()
  private var matting: String { "\(folder.path)/rvm_mobilenetv3_fp32.onnx" }

  init() {
    for file in QualityLadder.files { folder.write(file) }
  }

  private func makeFilter(isLive: Bool) throws -> TestFilter {
    let filter = try TestFilter([
      "effect": "color", "model": "", "quality": "balanced", "inference": "every-frame",
    ])
    filter.object.modelsFolder = folder.path
    filter.start()
    unsafe gst_harness_set_live(filter.harness, isLive ? 1 : 0)
    return filter
  }

  /// Works on a picture of two red people, whose shoulders touch, and looks at what came out.
  private func processTwo(_ filter: TestFilter, frame: Int = 0) throws {
    let picture = TestPicture(format: filter.stream.frameFormat)
    picture.paint(red: 20, green: 60, blue: 220)
    picture.paint(red: 210, green: 20, blue: 30) { x, y in
      y > 130 && 40..<280 ~= x || y > 60 && (50..<110 ~= x || 190..<250 ~= x)
    }
    let buffer = unsafe filter.stream.makeBuffer(picture, hasMeta: false)
    unsafe buffer.pointee.pts = GstClockTime(frame) * 33_333_333
    try #require(unsafe filter.push(buffer) == GST_FLOW_OK)
    let output = try #require(try filter.pull())
    let red = output.format.colorimetry.codeValues(red: 210, green: 20, blue: 30)
    #expect(abs(output.chroma(80, 120).cr - Int(red.cr)) <= 2)
    #expect(abs(output.chroma(220, 120).cr - Int(red.cr)) <= 2)
    // The room is not blue any more.
    let blue = output.format.colorimetry.codeValues(red: 20, green: 60, blue: 220)
    #expect(abs(output.chroma(150, 80).cb - Int(blue.cb)) > 20)
  }

  private func lines(_ filter: TestFilter) -> [Int] {
    filter.models.loaded.filter { $0.path == matting }.map(\.lines)
  }

  @Test func onePersonNeedsNoOtherSize() throws {
    let filter = try makeFilter(isLive: false)
    for _ in 0..<40 { _ = try filter.process() }
    #expect(lines(filter) == [160])
  }

  @Test func framesThatCanWaitHaveTheLargerSizeFromTheFirstOn() throws {
    let filter = try makeFilter(isLive: false)
    try processTwo(filter)
    #expect(lines(filter) == [160, 208])
    #expect(filter.object.state?.networkSlot.isLoading == false)
  }

  @Test func aLiveStreamGoesOnWhileTheLargerSizeIsMade() throws {
    let filter = try makeFilter(isLive: true)
    _ = try filter.process(time: 0)
    #expect(filter.object.state?.networkSlot.isLoading == false)
    filter.models.change(matting) { $0.stuck = [.compile] }
    for frame in 1...40 { try processTwo(filter, frame: frame) }
    #expect(filter.object.state?.networkSlot.isLoading == true)
    filter.models.change(matting) { $0.stuck = [] }
    var frame = 40
    try Patience.wait {
      frame += 1
      try processTwo(filter, frame: frame)
      return filter.object.state?.networkSlot.isLoading == false
    }
    #expect(lines(filter) == [160, 208] && filter.messages().isEmpty)
  }

  @Test func whoLeavesMeanwhileLeavesNothingInLoading() throws {
    let filter = try makeFilter(isLive: true)
    _ = try filter.process(time: 0)
    filter.models.change(matting) { $0.stuck = [.compile] }
    for frame in 1...40 { try processTwo(filter, frame: frame) }
    #expect(filter.object.state?.networkSlot.isLoading == true)
    filter.models.change(matting) { $0.stuck = [] }
    try filter.process(until: { filter.object.state?.networkSlot.isLoading == false })
  }

  @Test func withoutTheLargerSizeAllGoesOn() throws {
    let filter = try makeFilter(isLive: false)
    _ = try filter.process(time: 0)
    filter.models.change(matting) { $0.loadFailure = .init(.modelUnreadable, "half a file") }
    for frame in 1...40 { try processTwo(filter, frame: frame) }
    #expect(lines(filter) == [160, 208])
    #expect(filter.object.state?.networkSlot.isLoading == false && filter.messages().isEmpty)
  }
}
