import TestSupport
import Testing

@testable import GstVBGFilter

/// Files from a muxer contain no byte of the room and no picture from a tag.
@Suite struct PrivacyFileTests {
  @Test(.needs(.matroska)) func matroska() throws { try check(.matroska) }
  @Test(.needs(.quickTime)) func quickTime() throws { try check(.quickTime) }
  @Test(.needs(.motionJPEG)) func motionJPEG() throws { try check(.motionJPEG) }
  @Test(.needs(.mp4)) func mp4() throws { try check(.mp4) }
  @Test(.needs(.avi)) func avi() throws { try check(.avi) }

  private func check(_ container: RoomFile.Container) throws {
    let (room, picture) = (try RoomFile.room(), RoomFile.picture)
    // The check must find the room and the picture in an unprotected file.
    let raw = try RoomFile(container, frames: 5, "active=false")
    #expect(try raw.holds(room) == container.keepsPlanes)
    if container.writesPictures { #expect(try raw.holds(picture)) }
    for properties in ["effect=color", "effect=blur blur-radius=0.3", "effect=transparent"] {
      let file = try RoomFile(container, frames: 5, properties)
      #expect(try !file.holds(room), "\(properties)")
      #expect(try !file.holds(picture), "\(properties)")
    }
    let folder = TemporaryFolder()
    let choices = PrivacyStormTests.hidingChoices([
      try folder.writePicture("violet.png", color: 0xFF80_60A0)
    ])
    // Only values with which the stream continues.
    .filter { !["model", "background-path", "on-failure", "pacing"].contains($0.0) }
    var random = SeededGenerator(seed: 31)
    let file = try RoomFile(container, frames: 30, "effect=color") { pipeline in
      guard let (name, values) = choices.randomElement(using: &random),
        let value = values.randomElement(using: &random)
      else { return }
      pipeline.set(name, value)
    }
    #expect(try !file.holds(room))
    #expect(try !file.holds(picture))
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test if GStreamer lacks an element for this kind of file.
  static func needs(_ container: RoomFile.Container) -> Self {
    let missing = container.elements.filter { !hasDecoder($0) }
    return .enabled(if: missing.isEmpty, "GStreamer has no \(missing.joined(separator: ", no "))")
  }
}
