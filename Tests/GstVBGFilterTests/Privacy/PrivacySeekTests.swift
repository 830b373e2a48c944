import CGStreamer
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// A player that seeks in a file while the settings change must not show the room.
@Suite struct PrivacySeekTests {
  private static let steps = 150
  private static let frames = 40

  @Test(.needs(.matroska), arguments: [UInt64(1), 2]) func matroska(_ seed: UInt64) throws {
    try storm(.matroska, seed)
  }

  @Test(.needs(.quickTime), arguments: [UInt64(1), 2]) func quickTime(_ seed: UInt64) throws {
    try storm(.quickTime, seed)
  }

  private func storm(_ container: RoomFile.Container, _ seed: UInt64) throws {
    let file = try RoomFile(container, frames: Self.frames, "active=false")
    let folder = TemporaryFolder()
    let choices = PrivacyStormTests.hidingChoices([
      try folder.writePicture("violet.png", color: 0xFF80_60A0)
    ])
    var random = SeededGenerator(seed: seed)
    let formats: [PixelFormat] = [.nv12, .i420, .rgba, .ayuv, .gray8]
    let format = try #require(formats.randomElement(using: &random))
    let player = try RoomPlayer(file, container, format)
    player.pipeline.models.change("missing") {
      $0.loadFailure = .init(.modelNotFound, "it is not there")
    }
    var seeks = 0
    for step in 0..<Self.steps {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let (name, values) = try #require(choices.randomElement(using: &random))
        player.pipeline.set(name, try #require(values.randomElement(using: &random)))
      }
      player.pipeline.models.change("good") {
        $0.inferenceFailure =
          Int.random(in: 0..<6, using: &random) == 0 ? .init(.inferenceFailed, "no") : nil
      }
      let action = Int.random(in: 0..<20, using: &random)
      player.situation = "step \(step), \(action), \(player.pipeline.object.settings.current)"
      switch action {
      case 0...5: if try seek(player, &random) { seeks += 1 }
      case 6: try player.showRoom(thenFrom: time(&random))
      case 7: try player.restart(by: [GST_STATE_READY, GST_STATE_NULL][step % 2])
      case 8: try player.pause(thenFrom: time(&random))
      default: break
      }
      switch try player.next() {
      case .frame: break
      case .end:
        // After the end of a stream, only a flush or a restart continues.
        if try step % 2 == 0 || !player.seek(GST_SEEK_FLAG_FLUSH, from: 0) {
          try player.restart(by: GST_STATE_READY)
        }
      case .failure: try player.restart(by: GST_STATE_READY)
      }
    }
    // The test must have examined enough frames and seeks.
    #expect(player.hiddenFrames > Self.steps / 4)
    #expect(player.shownFrames > 0)
    #expect(seeks > player.seeksWithoutFlush)
    #expect(player.seeksWithoutFlush > 0)
  }

  /// Seeks with random flags and returns whether an element handled the seek.
  private func seek(_ player: RoomPlayer, _ random: inout SeededGenerator) throws -> Bool {
    let flags: [GstSeekFlags] = [
      GST_SEEK_FLAG_NONE, GST_SEEK_FLAG_FLUSH, GST_SEEK_FLAG_SEGMENT, GST_SEEK_FLAG_ACCURATE,
      GST_SEEK_FLAG_KEY_UNIT, GST_SEEK_FLAG_TRICKMODE,
    ]
    let chosen = GstSeekFlags(
      (0..<2).reduce(UInt32(0)) { all, _ in
        all | (flags.randomElement(using: &random)?.rawValue ?? 0)
      })
    let rate = try #require([1, 1, 0.5, 2, -1].randomElement(using: &random))
    let (start, other) = (time(&random), time(&random))
    return try player.seek(rate: rate, chosen, from: min(start, other), to: max(start, other))
  }

  /// Returns a time within the file or directly after it.
  private func time(_ random: inout SeededGenerator) -> UInt64 {
    UInt64.random(in: 0...UInt64(Self.frames), using: &random) * RoomFile.frameTime
  }
}
