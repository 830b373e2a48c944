import CAllocationCounter
import CGStreamer
import OpenVINOInference
import TestSupport
import Testing
import VirtualBackground

@testable import GstVBGFilter

/// What the element itself adds to the work of the core: nothing that is allocated.
@Suite(.enabled(if: allocation_counter_works())) struct FrameAllocationTests {
  @Test(arguments: [
    ["effect": "color"], ["effect": "blur"], ["effect": "matte"],
    ["background-path": "picture"], ["effect": "color", "target-fps": "1"],
    ["background-path": "video"], ["background-path": "video", "light-wrap": "0.5"],
    ["effect": "color", "skip-still": "true"],
  ])
  func aFrameInSteadyStateAllocatesNothing(_ properties: [String: String]) throws {
    let folder = TemporaryFolder()
    var properties = properties
    if properties["background-path"] == "picture" {
      properties["background-path"] = try folder.writePicture("gray.png", color: Room.gray)
    } else if properties["background-path"] == "video" {
      properties["background-path"] = try folder.write(StoredVideo(lumas: [80, 90, 100]))
    }
    let filter = try TestFilter(properties)
    _ = try filter.process()
    let picture = Room.picture(filter.stream.frameFormat)
    let buffer = unsafe filter.stream.makeBuffer(picture, hasMeta: true)
    defer { unsafe GStreamer.unrefMini(buffer) }
    let object = filter.object
    var time: GstClockTime = 0
    func process() {
      // Another picture of a video for each frame.
      time += 40_000_000
      unsafe buffer.pointee.pts = time
      unsafe object.beforeTransform(buffer)
      _ = unsafe object.prepare(buffer)
      object.noteResult(unsafe object.transform(buffer))
    }
    for _ in 0..<3 { process() }
    let before = allocation_counter_count()
    for _ in 0..<5 { process() }
    #expect(allocation_counter_count() - before == 0)
    #expect(try filter.statistic("frames-out") == 9)
  }

  static let cases = Quality.allCases.flatMap { quality in
    ["blur", "replace", "color", "matte"].map { (quality, $0) }
  }

  /// What is allocated within an inference is counted apart: it is OpenVINO's alone, as the tests of
  /// OpenVINOInference show.
  @Test(
    .enabled(if: Sample.isReady, "sample pictures or networks are not set up"), arguments: cases)
  func besidesOpenVINOAFrameAllocatesNothing(_ quality: Quality, _ effect: String) throws {
    let filter = try TestFilter(
      width: 640, height: 360,
      [
        "model": "", "smoothing": "0.5", "matte-feather": "2", "quality": quality.rawValue,
        "effect": effect, "background-path": try #require(Sample.sky.path),
      ])
    let models = CountingModels()
    filter.object.modelLoader = models
    filter.object.modelsFolder = nil
    _ = try filter.process()
    #expect(try filter.statisticString("quality") == quality.rawValue)
    let buffer = unsafe filter.stream.makeBuffer(
      Room.picture(filter.stream.frameFormat), hasMeta: true)
    defer { unsafe GStreamer.unrefMini(buffer) }
    let object = filter.object
    func process() {
      unsafe object.beforeTransform(buffer)
      _ = unsafe object.prepare(buffer)
      object.noteResult(unsafe object.transform(buffer))
    }
    for _ in 0..<3 { process() }
    let (before, insideBefore) = (allocation_counter_count(), models.allocations)
    for _ in 0..<5 { process() }
    let all = allocation_counter_count() - before
    let inside = models.allocations - insideBefore
    // That the inferences were counted: OpenVINO is known to allocate.
    #expect(inside > 0)
    #expect(all == inside)
    #expect(try filter.statistic("inferences") == 9)
  }

  @Test func aFrameThatIsLetThroughAllocatesNothing() throws {
    let filter = try TestFilter(["active": "false"])
    _ = try filter.process()
    let buffer = unsafe filter.stream.makeBuffer(
      Room.picture(filter.stream.frameFormat), hasMeta: false)
    defer { unsafe GStreamer.unrefMini(buffer) }
    let object = filter.object
    func process() {
      unsafe object.beforeTransform(buffer)
      _ = unsafe object.drops(buffer)
      object.noteResult(GST_FLOW_OK)
    }
    process()
    let before = allocation_counter_count()
    for _ in 0..<5 { process() }
    #expect(allocation_counter_count() - before == 0)
  }
}

/// The real networks, with a count of what is allocated on this thread within their inferences.
private final class CountingModels: SegmentationModelLoader {
  private let count = Monitor(UInt64(0))

  /// Allocations within inferences so far.
  var allocations: UInt64 { count.current }

  func load(_ request: ModelRequest) throws(SegmentationError) -> any SegmentationModel {
    Model(try OpenVINOModelLoader().load(request), count)
  }

  private final class Model: SegmentationModel {
    private let model: any SegmentationModel
    private let count: Monitor<UInt64>

    init(_ model: any SegmentationModel, _ count: Monitor<UInt64>) {
      self.model = model
      self.count = count
    }

    var path: String { model.path }
    var subjects: [String] { model.subjects }

    func prepare(frameWidth: Int, frameHeight: Int) {
      model.prepare(frameWidth: frameWidth, frameHeight: frameHeight)
    }

    func makeSegmenter(
      frameWidth: Int, frameHeight: Int
    ) throws(SegmentationError) -> any Segmenter {
      CountingSegmenter(
        try model.makeSegmenter(frameWidth: frameWidth, frameHeight: frameHeight), count)
    }
  }

  private final class CountingSegmenter: Segmenter {
    private let segmenter: any Segmenter
    private let count: Monitor<UInt64>

    init(_ segmenter: any Segmenter, _ count: Monitor<UInt64>) {
      self.segmenter = segmenter
      self.count = count
    }

    var inputFormat: TensorFormat { segmenter.inputFormat }
    var inputTensor: UnsafeMutablePointer<Float> { unsafe segmenter.inputTensor }
    var edge: MatteEdge { segmenter.edge }
    var remembersPast: Bool { segmenter.remembersPast }

    func infer() throws(SegmentationError) -> RawMatte {
      let before = allocation_counter_count()
      defer {
        let made = allocation_counter_count() - before
        count.withLock { $0 += made }
      }
      return try segmenter.infer()
    }

    func forgetPast() { segmenter.forgetPast() }

    func movePast(from old: PixelRegion, to new: PixelRegion) {
      segmenter.movePast(from: old, to: new)
    }
  }
}
