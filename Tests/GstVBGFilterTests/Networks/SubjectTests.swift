import CGStreamer
import InferenceTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// Subjects to keep, given by class names, and models given by file names.
@Suite struct SubjectTests {
  private func makeFilter(
    classes: [String], _ properties: [String: String] = [:]
  ) throws -> TestFilter {
    let filter = try TestFilter(["effect": "color"].merging(properties) { _, new in new })
    filter.models.change("good") { $0.classes = classes }
    return filter
  }

  @Test func subjectsReachTheNetwork() throws {
    let filter = try makeFilter(classes: ["dog", "person"], ["subjects": "Dog, person"])
    _ = try filter.process()
    #expect(filter.models.loaded.map(\.subjects.names) == [["dog", "person"]])
    #expect(filter.messages().isEmpty)
  }

  /// The old subjects apply until the network for the new ones is ready.
  ///
  /// Every frame has a matte.
  @Test func subjectsCanChangeWhilePlaying() throws {
    let filter = try makeFilter(classes: ["dog", "person"])
    _ = try filter.process()
    filter.models.change("good") { $0.stuck = [.load] }
    filter.set("subjects", "dog")
    for _ in 0..<5 {
      let output = try filter.process()
      #expect(Room.visiblePart(of: output) == 0)
      #expect(Room.showsPerson(output))
    }
    #expect(filter.models.compiled.count == 1)
    filter.models.change("good") { $0.stuck = [] }
    try filter.process(until: { filter.models.compiled.count == 2 })
    #expect(filter.models.loaded.map(\.subjects.names) == [["person"], ["dog"]])
    #expect(filter.messages().isEmpty)
  }

  /// GLib would keep such names for ever.
  @Test func namesOfSubjectsAreNotKeptForEver() throws {
    let names = ["something-nobody-else-names", "nor-this"]
    let filter = try makeFilter(
      classes: names, ["subjects": names.joined(separator: ","), "attach-matte": "true"])
    for _ in 0..<3 { _ = try filter.process() }
    for name in names { #expect(unsafe g_quark_try_string(name) == 0) }
  }

  @Test("fails to start with a subject that the network does not know")
  func refusesUnknownSubjectAtStart() throws {
    let filter = try makeFilter(classes: ["dog", "person"], ["subjects": "cat"])
    #expect(!filter.tryToStart())
    let messages = filter.messages()
    #expect(messages.map(\.kind) == [.error])
    #expect(messages.first?.isResource(GST_RESOURCE_ERROR_SETTINGS) == true)
    #expect(messages.first?.text == "good knows no cat")
  }

  @Test("warns about an unknown subject while playing, and keeps the current ones")
  func keepsSubjectsWhilePlaying() throws {
    let filter = try makeFilter(classes: ["dog", "person"])
    _ = try filter.process()
    filter.set("subjects", "cat")
    var messages = try filter.processUntilMessages().messages
    for _ in 0..<5 { #expect(Room.showsPerson(try filter.process())) }
    messages += filter.messages()
    #expect(messages.map(\.kind) == [.warning])
    #expect(filter.models.compiled.count == 1)
    // A known subject still works after that.
    filter.set("subjects", "dog")
    try filter.process(until: { filter.models.compiled.count == 2 })
    #expect(filter.models.loaded.last?.subjects.names == ["dog"])
  }

  @Test(arguments: ["good", ""])
  func aNetworkWithoutClassesWarnsOnce(model: String) throws {
    let folder = TemporaryFolder()
    for file in QualityLadder.files { folder.write(file) }
    let filter = try makeFilter(classes: [], ["subjects": "dog", "model": model])
    filter.object.modelsFolder = folder.path
    #expect(Room.showsPerson(try filter.process()))
    // New caps need the network again, but cause no other warning.
    try filter.renegotiate(width: 200, height: 120)
    #expect(Room.showsPerson(try filter.process()))
    let messages = filter.messages()
    #expect(messages.map(\.kind) == [.warning])
    #expect(messages.first?.isResource(GST_RESOURCE_ERROR_SETTINGS) == true)
    #expect(messages.first?.text.contains("has no classes: subjects=dog") == true)
  }

  @Test func aPersonNeedsNoClasses() throws {
    let filter = try makeFilter(classes: [], ["subjects": " Person "])
    _ = try filter.process()
    #expect(filter.messages().isEmpty)
  }

  @Test func aFileNameAloneSelectsAnInstalledNetwork() throws {
    let folder = TemporaryFolder()
    folder.write("u2netp.onnx")
    for (name, path) in [
      ("u2netp.onnx", "\(folder.path)/u2netp.onnx"), ("missing.onnx", "missing.onnx"),
      ("./u2netp.onnx", "./u2netp.onnx"),
    ] {
      let filter = try TestFilter(["effect": "color", "model": name])
      filter.object.modelsFolder = folder.path
      _ = try filter.process()
      #expect(filter.models.loaded.map(\.path) == [path])
      #expect(try filter.statisticString("model") == path)
    }
  }
}
