import CGStreamer
import Matting
import TestSupport
import Testing

@testable import GstVBGFilter

/// The element's choice among the installed networks of the quality ladder.
@Suite struct LadderTests {
  private let folder = TemporaryFolder()

  private func makeFilter(
    _ properties: [String: String], installed files: [String] = QualityLadder.files
  ) throws -> TestFilter {
    for file in files { folder.write(file) }
    let filter = try TestFilter(["effect": "color", "model": ""].with(properties))
    filter.object.modelsFolder = folder.path
    return filter
  }

  @Test(arguments: [("accurate", 288), ("balanced", 160), ("fast", 0)])
  func eachQualityHasItsNetwork(_ quality: String, _ lines: Int) throws {
    let filter = try makeFilter(["quality": quality])
    _ = try filter.process()
    // The network, and another one for full-frame or crop passes. The network of `balanced` at its
    // size confirms people for all qualities.
    #expect(
      filter.models.loaded.map(\.lines) == [lines, lines] + (quality == "balanced" ? [] : [160]))
    #expect(try filter.statisticString("quality") == quality)
    #expect(try filter.statisticString("model").hasPrefix(folder.path))
    #expect(filter.messages().isEmpty)
  }

  /// A network given by name runs at the size of the quality.
  @Test(arguments: [("accurate", 288), ("balanced", 160)])
  func aNamedNetworkHasTheSizeOfTheQuality(_ quality: String, _ lines: Int) throws {
    let filter = try TestFilter(["effect": "color", "quality": quality])
    _ = try filter.process()
    #expect(filter.models.loaded.map(\.lines) == [lines])
  }

  @Test("replaces a network that is not installed with the next one, and warns once")
  func fallsBackToNextNetwork() throws {
    let filter = try makeFilter(
      ["quality": "accurate"], installed: ["selfie_segmentation.tflite"])
    #expect(Room.showsPerson(try filter.process()))
    #expect(try filter.statisticString("quality") == "fast")
    #expect(try filter.statisticString("model") == "\(folder.path)/selfie_segmentation.tflite")
    let messages = filter.messages()
    messages.expectOne(
      .warning, "without this warning, set quality=fast", "gstreamer1.0-vbgfilter-models-gpl",
      code: GST_RESOURCE_ERROR_NOT_FOUND)
    #expect(messages.first?.refusal == ["quality": "accurate"])
    // The warning is not repeated for frames of another size.
    try filter.renegotiate(width: 640, height: 360)
    _ = try filter.process()
    #expect(filter.messages().isEmpty)
  }

  @Test func aBrokenNetworkIsReplacedByTheNext() throws {
    let filter = try makeFilter(["quality": "balanced"])
    filter.models.change("\(folder.path)/rvm_mobilenetv3_fp32.onnx") {
      $0.loadFailure = .init(.modelUnreadable, "half a file")
    }
    #expect(Room.showsPerson(try filter.process()))
    #expect(try filter.statisticString("quality") == "fast")
  }

  @Test func theErrorNamesTheVariableIfNothingIsInstalled() {
    let unset = SegmentationError.noneInstalled(in: "/lib/vbgfilter/models", named: nil)
    #expect(unset.kind == .modelNotFound)
    #expect(
      unset.description.hasPrefix(
        "No model is installed in /lib/vbgfilter/models: \(SegmentationError.reinstallation), put one "
          + "of "))
    #expect(!unset.description.contains("VBGFILTER_RUNTIME_DIR"))
    let set = SegmentationError.noneInstalled(in: "/wrong/models", named: "/wrong")
    #expect(
      set.description.hasPrefix(
        "No model is installed in /wrong/models: correct the variable VBGFILTER_RUNTIME_DIR, which "
          + "is set to /wrong, install vbgfilter again "))
    let relative = SegmentationError.noneInstalled(in: "/none/models", named: "a/b")
    #expect(relative.description.contains("is set to a/b and must be an absolute path, install "))
  }

  @Test func theShapeOfTheFrameChoosesTheFastNetwork() throws {
    let filter = try makeFilter(["quality": "fast"])
    _ = try filter.process()
    #expect(
      try filter.statisticString("model") == "\(folder.path)/selfie_segmentation_landscape.tflite")
    try filter.renegotiate(width: 180, height: 320)
    _ = try filter.process()
    #expect(try filter.statisticString("model") == "\(folder.path)/selfie_segmentation.tflite")
  }
}
