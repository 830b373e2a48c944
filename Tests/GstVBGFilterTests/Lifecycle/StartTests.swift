import CGStreamer
import Matting
import Testing

@testable import GstVBGFilter

/// Starting the element: it posts an error, and sends no frame, if anything is wrong.
@Suite struct StartTests {
  @Test(arguments: [
    (SegmentationError.Kind.modelNotFound, GST_RESOURCE_ERROR_NOT_FOUND, ["model": "good"]),
    (.modelUnreadable, GST_RESOURCE_ERROR_OPEN_READ, ["model": "good"]),
    (.modelUnknown, GST_RESOURCE_ERROR_FAILED, ["model": "good"]),
    (.runtimeUnavailable, GST_RESOURCE_ERROR_FAILED, [:]),
    (.deviceRefused, GST_RESOURCE_ERROR_SETTINGS, ["device": "CPU"]),
    (.subjectUnknown, GST_RESOURCE_ERROR_SETTINGS, ["subjects": "person"]),
  ])
  func aModelThatCannotBeReadIsAnError(
    _ kind: SegmentationError.Kind, _ code: GstResourceError, _ refusal: [String: String]
  ) throws {
    let filter = try TestFilter()
    filter.models.change("good") { $0.loadFailure = .init(kind, "good is bad: mend it") }
    #expect(!filter.tryToStart())
    let messages = filter.messages()
    messages.expectOne(.error, code: code)
    #expect(messages.map(\.text) == ["good is bad: mend it"])
    #expect(messages.map(\.refusal) == [refusal])
    #expect(filter.object.stream == nil)
  }

  @Test func noInstalledModelIsAnErrorThatNamesTheFolder() throws {
    let filter = try TestFilter(["model": ""])
    #expect(!filter.tryToStart())
    filter.messages().expectOne(
      .error, "/nonexistent", "rvm_mobilenetv3_fp32.onnx", code: GST_RESOURCE_ERROR_NOT_FOUND)
  }

  @Test func replaceWithoutAPathIsASettingsError() throws {
    let filter = try TestFilter(["effect": "replace"])
    #expect(!filter.tryToStart())
    filter.messages().expectOne(.error, "background-path", code: GST_RESOURCE_ERROR_SETTINGS)
  }

  @Test func anElementStartsAfterAFix() throws {
    let filter = try TestFilter(["effect": "color"])
    filter.models.change("good") { $0.loadFailure = .init(.modelNotFound, "gone") }
    #expect(!filter.tryToStart())
    filter.models.change("good") { $0.loadFailure = nil }
    #expect(Room.showsPerson(try filter.process()))
  }

  @Test func deviceAndThreadsReachTheLoader() throws {
    let filter = try TestFilter(["device": "GPU.1", "threads": "3", "effect": "color"])
    _ = try filter.process()
    // The device and the threads take effect only when the element starts.
    filter.set("device", "CPU")
    filter.set("threads", "1")
    filter.set("model", "other")
    try filter.process(until: { try filter.statisticString("model") == "other" })
    #expect(filter.models.loaded.map(\.device) == ["GPU.1", "GPU.1"])
    #expect(filter.models.loaded.map(\.threads) == [3, 3])
  }

  /// Preparation before the first frame delays neither the start nor, once it ends, the frame.
  @Test func theNetworkIsPreparedWhileTheFormatIsNegotiated() throws {
    let filter = try TestFilter(["effect": "color"])
    filter.models.change("good") { $0.stuck = [.prepare] }
    #expect(filter.tryToStart())
    #expect(filter.models.prepared(1) == ["good 1280x720"])
    #expect(filter.models.compiled.isEmpty)
    filter.models.change("good") { $0.stuck = [] }
    #expect(Room.showsPerson(try filter.process()))
    #expect(filter.models.compiled == ["good 320x180"])
    #expect(filter.models.prepared(1).count == 1)
  }

  @Test("loads and prepares no network if effect=none")
  func preparesNothingWithoutEffect() throws {
    let filter = try TestFilter(["effect": "none"])
    #expect(filter.tryToStart())
    _ = try filter.process()
    #expect(filter.models.loaded.isEmpty)
    #expect(filter.models.prepared(0).isEmpty)
  }
}
