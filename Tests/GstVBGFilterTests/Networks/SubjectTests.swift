import CGStreamer
import Matting
import TestSupport
import Testing

@testable import GstVBGFilter

/// Subjects to keep, given by class names, and models given by file names.
@Suite struct SubjectTests {
  private let folder = TemporaryFolder()

  private func makeFilter(
    classes: [String], _ properties: [String: String] = [:]
  ) throws -> TestFilter {
    let filter = try TestFilter(["effect": "color"].with(properties))
    filter.models.change("good") { $0.classes = classes }
    return filter
  }

  /// The old subjects apply until the network for the new ones is ready.
  ///
  /// Every frame has a matte.
  @Test func subjectsCanChangeWhilePlaying() throws {
    let filter = try makeFilter(classes: ["dog", "person"])
    _ = try filter.process()
    filter.models.change("good") { $0.stuck = [.load] }
    filter.set("subjects", "Dog, person")
    for _ in 0..<5 {
      #expect(Room.showsOnlyPerson(try filter.process()))
    }
    #expect(filter.models.compiled.count == 1)
    filter.models.change("good") { $0.stuck = [] }
    try filter.process(until: { filter.models.compiled.count == 2 })
    #expect(filter.models.loaded.map(\.subjects.names) == [["person"], ["dog", "person"]])
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
    filter.messages().expectOne(.error, "good knows no cat", code: GST_RESOURCE_ERROR_SETTINGS)
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
    for file in QualityLadder.files { folder.write(file) }
    let filter = try makeFilter(classes: [], ["subjects": "dog", "model": model])
    filter.object.modelsFolder = folder.path
    #expect(Room.showsPerson(try filter.process()))
    // New caps need the network again, but cause no other warning.
    try filter.renegotiate(width: 200, height: 120)
    #expect(Room.showsPerson(try filter.process()))
    filter.messages().expectOne(
      .warning, "has no classes: subjects=dog", code: GST_RESOURCE_ERROR_SETTINGS)
  }

  @Test func aPersonNeedsNoClasses() throws {
    let filter = try makeFilter(classes: [], ["subjects": " Person "])
    _ = try filter.process()
    #expect(filter.messages().isEmpty)
  }

  @Test func aFileNameAloneSelectsAnInstalledNetwork() throws {
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
