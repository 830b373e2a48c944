import CGStreamer
import OpenVINOInference
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// The state that applications can read: the settings in use, and whether a person is present.
@Suite struct PublishedStateTests {
  private let folder = TemporaryFolder()

  /// The names of the properties for which `notify` was emitted.
  private final class Notifications: Sendable {
    private let names = Monitor<[String]>([])

    func connect(to filter: TestFilter) {
      // This object outlives the element, and the element outlives the frames of the test.
      let this = unsafe Unmanaged.passUnretained(self).toOpaque()
      let callback:
        @convention(c) (UnsafeMutableRawPointer, UnsafeMutablePointer<GParamSpec>, gpointer) -> Void =
          { _, specification, data in
            let name = unsafe String(cString: g_param_spec_get_name(specification))
            unsafe Unmanaged<Notifications>.fromOpaque(data).takeUnretainedValue().names.withLock {
              $0.append(name)
            }
          }
      _ = unsafe g_signal_connect_data(
        filter.element, "notify", unsafeBitCast(callback, to: GCallback.self), this, nil,
        GConnectFlags(0))
    }

    /// Returns the names since the last call.
    func take() -> [String] {
      names.withLock { names in
        defer { names = [] }
        return names
      }
    }
  }

  private func posted(_ filter: TestFilter) -> [String] {
    filter.messages(of: GST_MESSAGE_ELEMENT).filter { $0.hasPrefix("vbgfilter-in-use") }
  }

  @Test("reports the model, the background and the person when each takes effect")
  func reportsStateWhenItTakesEffect() throws {
    let image = try folder.writePicture("gray.png", color: Room.gray)
    let filter = try TestFilter(["effect": "color"])
    let notifications = Notifications()
    defer { withExtendedLifetime(notifications) {} }
    notifications.connect(to: filter)
    #expect(filter.value(of: "current-background") == nil)
    #expect(filter.value(of: "current-model") == nil)
    #expect(filter.value(of: "person-present") == "false")

    _ = try filter.process()
    #expect(filter.value(of: "current-model") == "good")
    #expect(filter.value(of: "current-quality") == "model")
    #expect(filter.value(of: "person-present") == "true")
    #expect(
      notifications.take().sorted() == [
        "current-keep", "current-model", "current-quality", "person-present",
      ])
    let message = try #require(posted(filter).first)
    #expect(message.contains("current-model=(string)good"))
    #expect(message.contains("person-present=(boolean)true"))
    #expect(message.contains("current-background=(string)\"\""))

    // Unchanged state is not reported again.
    _ = try filter.process()
    #expect(notifications.take().isEmpty && posted(filter).isEmpty)

    filter.set("effect", "replace")
    filter.set("background-path", image)
    _ = notifications.take()
    try filter.process(until: { filter.value(of: "current-background") != nil })
    #expect(filter.value(of: "current-background")?.contains(image) == true)
    #expect(notifications.take() == ["current-background"])
    #expect(posted(filter).count == 1)

    filter.set("active", "false")
    _ = notifications.take()
    filter.pushRoom()
    #expect(filter.value(of: "current-background") == nil)
    #expect(filter.value(of: "current-keep") == nil)
    #expect(notifications.take() == ["current-background", "current-keep"])

    unsafe gst_element_set_state(filter.element, GST_STATE_NULL)
    #expect(filter.value(of: "current-model") == nil)
    #expect(filter.value(of: "person-present") == "false")
    #expect(Set(notifications.take()).isSuperset(of: ["current-model", "person-present"]))
  }

  /// A person who is missing for half a second has not left.
  @Test("ignores a short absence, and reports leaving and returning once each")
  func ignoresShortAbsence() throws {
    let clock = TestClock()
    let filter = try TestFilter(["effect": "color"])
    filter.object.clock = clock.clock
    let notifications = Notifications()
    defer { withExtendedLifetime(notifications) {} }
    notifications.connect(to: filter)
    let nobody = TestPicture(format: filter.stream.frameFormat, (90, 90, 90))
    /// Pushes ten frames per second and returns the messages about the person.
    func told(seconds: Double, _ isThere: Bool) throws -> [String] {
      for _ in 0..<Int(seconds * 10) {
        _ = unsafe try filter.process(filter.makeBuffer(isThere ? nil : nobody))
        clock.pass(100_000_000)
      }
      let messages = posted(filter).filter { $0.contains("person-present") }
      #expect(notifications.take().filter { $0 == "person-present" }.count == messages.count)
      return messages.map { $0.contains("person-present=(boolean)true") ? "came" : "left" }
    }
    #expect(try told(seconds: 1, true) == ["came"])
    #expect(try told(seconds: 0.5, false) == [])
    #expect(try told(seconds: 1, true) == [])
    #expect(try told(seconds: 3, false) == ["left"])
    #expect(filter.value(of: "person-present") == "false")
    #expect(try told(seconds: 1, true) == ["came"])
  }

  @Test("names a refused setting in a warning, and still reports the old one as in use")
  func namesRefusedSetting() throws {
    let image = try folder.writePicture("gray.png", color: Room.gray)
    let filter = try TestFilter(["background-path": image])
    _ = try filter.process()
    _ = filter.messages()
    let missing = folder.path + "/missing.png"
    filter.set("background-path", missing)
    var messages = try filter.processUntilMessages().messages
    messages.expectOne(.warning)
    #expect(messages.first?.refusal == ["background-path": missing])
    #expect(filter.value(of: "current-background")?.contains(image) == true)

    filter.models.change("worse") { $0.loadFailure = .init(.modelUnreadable, "half a file") }
    filter.set("model", "worse")
    messages = try filter.processUntilMessages().messages
    #expect(messages.first?.refusal == ["model": "worse"])
    #expect(filter.value(of: "current-model") == "good")
  }

  @Test("warns without face networks that touching people are shown together, also in current-keep")
  func missingFaceNetworks() throws {
    let filter = try TestFilter(["effect": "color"])
    _ = try filter.process()
    #expect(filter.value(of: "current-keep") == "everyone")
    #expect(filter.messages().isEmpty)
    filter.set("keep", "nearest")
    _ = try filter.process()
    let messages = filter.messages()
    messages.expectOne(
      .warning, "face_detection_short_range.tflite", "/nonexistent", "shown together",
      code: GST_RESOURCE_ERROR_NOT_FOUND)
    #expect(messages.first?.refusal == ["keep": "nearest"])
    #expect(filter.value(of: "current-keep") == "nearest-without-faces")
    filter.set("keep", "tracked")
    _ = try filter.process()
    #expect(filter.value(of: "current-keep") == "tracked-without-faces")
    filter.set("keep", "everyone")
    _ = try filter.process()
    #expect(filter.value(of: "current-keep") == "everyone")
    #expect(filter.messages().isEmpty)
  }

  @Test(.enabled(if: Sample.isReady, "networks are not set up"))
  func installedFaceNetworksCauseNoWarning() throws {
    let filter = try TestFilter(["effect": "color", "keep": "nearest"])
    filter.object.modelsFolder = OpenVINOModelLoader.modelsFolder()
    _ = try filter.process()
    #expect(filter.value(of: "current-keep") == "nearest")
    #expect(filter.messages().isEmpty)
  }

  @Test func addressesArePublishedWithoutSecrets() {
    var state = PublishedState()
    state.background = "https://user:secret@host/picture.jpg?token=secret"
    #expect(PublishedState.properties[0].read(state) == .text("https://host/picture.jpg"))
  }
}
