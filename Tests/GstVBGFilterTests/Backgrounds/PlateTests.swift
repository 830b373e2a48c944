import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

/// An image as the background: at the start, changed during playback, and broken.
@Suite struct PlateTests {
  private let folder = TemporaryFolder()

  private static let violet: UInt32 = 0xFF80_60A0
  private static let olive: UInt32 = 0xFF70_8040

  /// Whether the person is visible in front of `color`, and the room is not.
  ///
  /// Two opposite corners must have the colour, within two code values.
  private func shows(_ picture: TestPicture, _ color: UInt32) -> Bool {
    let code = picture.format.colorimetry.codeValues(
      red: UInt8(color >> 16 & 0xFF), green: UInt8(color >> 8 & 0xFF), blue: UInt8(color & 0xFF))
    let (width, height) = (picture.format.width, picture.format.height)
    return Room.showsOnlyPerson(picture)
      && [(0, 0), (width - 1, height - 1)].allSatisfy { x, y in
        abs(picture.luma(x, y) - Int(code.luma)) <= 2
          && abs(picture.chroma(x, y).cb - Int(code.cb)) <= 2
          && abs(picture.chroma(x, y).cr - Int(code.cr)) <= 2
      }
  }

  @Test(arguments: ["auto", "replace"])
  func theImageIsBehindThePersonFromTheFirstFrame(_ effect: String) throws {
    let path = try folder.writePicture("violet.png", color: Self.violet)
    let filter = try TestFilter(["effect": effect, "background-path": path])
    for _ in 0..<3 { #expect(shows(try filter.process(), Self.violet)) }
    #expect(filter.messages().isEmpty)
  }

  enum Broken: CaseIterable, Sendable {
    case missing
    case text
    case directory
    case empty

    func path(in folder: TemporaryFolder) throws -> String {
      switch self {
      case .missing: "\(folder.path)/missing.png"
      case .text: folder.write("text.png", "this is no picture, whatever its name says")
      case .directory: folder.path
      case .empty: folder.write("empty.png")
      }
    }
  }

  @Test(arguments: Broken.allCases)
  func aBrokenImageAtStartIsAnError(_ broken: Broken) throws {
    let path = try broken.path(in: folder)
    let filter = try TestFilter(["background-path": path])
    #expect(!filter.tryToStart())
    let messages = filter.messages()
    messages.expectOne(.error, path)
    #expect(messages.first?.domain == gst_resource_error_quark())
  }

  @Test(arguments: Broken.allCases)
  func aBrokenImageWhilePlayingIsAWarningAndTheOldOneStays(_ broken: Broken) throws {
    let good = try folder.writePicture("violet.png", color: Self.violet)
    let filter = try TestFilter(["background-path": good])
    #expect(shows(try filter.process(), Self.violet))
    let path = try broken.path(in: folder)
    filter.set("background-path", path)
    var (messages, outputs) = try filter.processUntilMessages()
    #expect(outputs.allSatisfy { shows($0, Self.violet) })
    for _ in 0..<5 { #expect(shows(try filter.process(), Self.violet)) }
    // The previous image also fits frames of another size.
    try filter.renegotiate(width: 180, height: 320)
    #expect(shows(try filter.process(), Self.violet))
    messages += filter.messages()
    messages.expectOne(.warning, path)
  }

  @Test func theBlurStaysIfAnImageIsBroken() throws {
    let filter = try TestFilter(["blur-radius": "40"])
    #expect(Room.visiblePart(of: try filter.process()) < 0.01)
    filter.set("background-path", "/nonexistent/room.png")
    let (messages, outputs) = try filter.processUntilMessages()
    for output in outputs + [try filter.process()] {
      #expect(Room.visiblePart(of: output) < 0.01)
      #expect(Room.showsPerson(output))
    }
    #expect(messages.map(\.kind) == [.warning])
  }

  /// A request for an image hides the room even if the image fails to load.
  @Test func aBrokenImageDoesNotLeaveTheRoomSharp() throws {
    let filter = try TestFilter(["blur-radius": "0", "background-color": "\(Room.gray)"])
    #expect(Room.visiblePart(of: try filter.process()) == 1)
    filter.set("background-path", "/nonexistent/room.png")
    let outputs = try filter.process(until: { !filter.messages().isEmpty })
    for output in outputs + [try filter.process()] { #expect(shows(output, Room.gray)) }
    filter.set("background-path", "")
    #expect(Room.visiblePart(of: try filter.process()) == 1)
  }

  /// Without a previous effect, the colour hides the room.
  @Test func theColorReplacesABrokenImageAfterActivation() throws {
    let filter = try TestFilter([
      "active": "false", "background-path": "/nonexistent/room.png", "blur-radius": "0",
      "background-color": "\(Room.gray)",
    ])
    _ = try filter.process()
    filter.set("active", "true")
    for _ in 0..<3 { #expect(shows(try filter.process(), Room.gray)) }
    #expect(filter.messages().map(\.kind) == [.warning])
  }

  @Test func theFitCanBeChangedWhilePlaying() throws {
    let path = try folder.writePicture("tall.png", color: Self.violet, width: 20, height: 90)
    let filter = try TestFilter(["background-path": path, "background-color": "\(Room.gray)"])
    #expect(shows(try filter.process(), Self.violet))
    filter.set("fit", "contain")
    try filter.process(until: { shows(try filter.process(), Room.gray) })
    filter.set("background-color", "\(Self.olive)")
    try filter.process(until: { shows(try filter.process(), Self.olive) })
  }

  @Test func withoutAPathAutoBlursAgain() throws {
    let path = try folder.writePicture("violet.png", color: Self.violet)
    let filter = try TestFilter(["background-path": path])
    #expect(shows(try filter.process(), Self.violet))
    filter.set("background-path", "")
    let output = try filter.process()
    #expect(!shows(output, Self.violet))
    #expect(Room.visiblePart(of: output) < 0.01)
    #expect(filter.messages().isEmpty)
  }

  @Test func withoutAPathReplaceKeepsTheImageAndWarns() throws {
    let path = try folder.writePicture("violet.png", color: Self.violet)
    let filter = try TestFilter(["effect": "replace", "background-path": path])
    #expect(shows(try filter.process(), Self.violet))
    filter.set("background-path", "")
    for _ in 0..<3 { #expect(shows(try filter.process(), Self.violet)) }
    filter.messages().expectOne(.warning, code: GST_RESOURCE_ERROR_SETTINGS)
  }
}
