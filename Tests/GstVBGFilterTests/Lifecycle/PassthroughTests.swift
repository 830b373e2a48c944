import CGStreamer
import Testing

@testable import GstVBGFilter

/// Frames that pass through unchanged on request, and the change back.
@Suite struct PassthroughTests {
  @Test(arguments: [["active": "false"], ["effect": "none"]])
  func neutralSettingsPassTheSameBufferAndLoadNothing(_ properties: [String: String]) throws {
    let filter = try TestFilter(properties.with(["model": "missing"]))
    filter.models.change("missing") { $0.loadFailure = .init(.modelNotFound, "missing") }
    let buffer = unsafe filter.makeBuffer()
    let output = unsafe try filter.output(of: buffer)
    defer { unsafe GStreamer.unrefMini(output) }
    #expect(unsafe output == buffer)
    #expect(try Room.visiblePart(of: unsafe filter.stream.picture(in: output)) == 1)
    #expect(filter.models.loaded.isEmpty)
    #expect(filter.messages().isEmpty)
  }

  /// Every frame arrives, either unchanged or hidden according to the setting at its arrival.
  @Test(arguments: ["active", "effect"])
  func togglingWhilePlayingLosesNoFrame(_ name: String) throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    let values = name == "active" ? ["true", "false"] : ["color", "none"]
    let raw = Room.picture(filter.stream.frameFormat)
    for index in 0..<40 {
      let isHidden = index / 3 % 2 == 0
      filter.set(name, values[isHidden ? 0 : 1])
      let output = try filter.process()
      if isHidden {
        #expect(Room.showsOnlyPerson(output))
      } else {
        #expect(output.maxDifference(from: raw) == 0)
      }
    }
    #expect(filter.messages().isEmpty)
  }

  /// The setting may change at any time.
  ///
  /// Each frame uses the value at the start of its processing.
  @Test func togglingFromAnotherThreadSwitchesWholeFrames() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    let raw = Room.picture(filter.stream.frameFormat)
    try filter.process(300, whileChanging: { settings, _ in settings.active.toggle() }) {
      let output = try filter.process()
      #expect(Room.visiblePart(of: output) == 0 || output.maxDifference(from: raw) == 0)
    }
  }

  @Test func passthroughForgetsThePast() throws {
    let filter = try TestFilter(["effect": "color"])
    _ = try filter.process()
    let before = filter.models.timesForgotten
    _ = try filter.process()
    #expect(filter.models.timesForgotten == before)
    filter.set("active", "false")
    _ = try filter.process()
    filter.set("active", "true")
    _ = try filter.process()
    #expect(filter.models.timesForgotten == before + 1)
  }

  /// Frames of another size pass through in between, and the hidden frames have the old size again.
  @Test func theSizeMayChangeTwiceMeanwhile() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    _ = try filter.process()
    filter.set("active", "false")
    try filter.renegotiate(width: 180, height: 320)
    _ = try filter.process()
    try filter.renegotiate(width: 320, height: 180)
    _ = try filter.process()
    filter.set("active", "true")
    let output = try filter.process()
    #expect(Room.showsOnlyPerson(output))
    #expect(filter.messages().isEmpty)
  }

  @Test(arguments: ["blur", "color", "hold", "drop", "error"])
  func aMissingModelAfterActivationIsHidden(_ policy: String) throws {
    let filter = try TestFilter([
      "active": "false", "effect": "color", "on-failure": policy,
      "background-color": "\(Room.gray)", "model": "missing",
    ])
    filter.models.change("missing") { $0.loadFailure = .init(.modelNotFound, "no missing.onnx") }
    _ = try filter.process()
    filter.set("active", "true")
    for _ in 0..<3 {
      let flow = filter.pushRoom()
      #expect(flow == (policy == "error" ? GST_FLOW_ERROR : GST_FLOW_OK))
      let output = try filter.pull()
      #expect((output == nil) == (policy == "drop" || policy == "error"))
      if let output { #expect(Room.visiblePart(of: output) < 0.01) }
      if policy == "error" { break }
    }
    filter.messages().expectOne(
      policy == "error" ? .error : .warning, "no missing.onnx", code: GST_RESOURCE_ERROR_NOT_FOUND)
    #expect(filter.models.loaded.count == 1)
  }

  @Test func aMissingModelIsTriedAgainAfterPassthrough() throws {
    let filter = try TestFilter(["active": "false", "effect": "color", "on-failure": "color"])
    filter.models.change("good") { $0.loadFailure = .init(.modelNotFound, "not there yet") }
    _ = try filter.process()
    filter.set("active", "true")
    #expect(!Room.showsPerson(try filter.process()))
    filter.models.change("good") { $0.loadFailure = nil }
    filter.set("active", "false")
    _ = try filter.process()
    filter.set("active", "true")
    #expect(Room.showsPerson(try filter.process()))
  }
}
