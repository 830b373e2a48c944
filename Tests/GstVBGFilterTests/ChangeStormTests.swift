import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

/// Everything is changed at random while frames go through: the room is never seen.
@Suite struct ChangeStormTests {
  private static let changes = 1000
  private static let frame: UInt64 = 33_333_333

  /// Values for every property that can be set while playing.
  ///
  /// None lets the room be seen for good reasons, as `active=false` or a matte that is grown do.
  private static func choices(_ pictures: [String]) -> [(String, [String])] {
    [
      ("effect", ["auto", "blur", "replace", "color", "matte", "transparent"]),
      ("background-path", pictures + ["/nonexistent/room.png", ""]),
      ("background-color", ["\(Room.gray)", "\(UInt32(0xFF60_A060))", "\(UInt32(0xFF80_60A0))"]),
      ("blur-radius", ["6", "15.5", "40", "100"]),
      ("skip-still", ["true", "false"]),
      ("attach-matte", ["true", "false"]),
      ("target-fps", ["0", "5", "12", "30"]),
      ("pacing", ["reuse-matte", "repeat-frame", "drop-frame"]),
      ("quality", ["fast", "balanced", "accurate"]),
      ("model", ["good", "better", "missing"]),
      ("subjects", ["person", "dog,cat"]),
      ("fit", ["cover", "contain", "stretch"]),
      ("keep", ["everyone", "nearest", "tracked"]),
      ("matte-grow", ["0", "-1", "-4"]),
      ("matte-feather", ["0", "-3", "-10"]),
      ("smoothing", ["0", "0.5", "1"]),
      ("despill", ["true", "false"]),
      ("light-wrap", ["0", "0.3", "1"]),
      ("on-failure", ["blur", "color", "hold", "drop"]),
      ("adaptive", ["true", "false"]),
      ("cpu-budget", ["0", "0.01", "2"]),
      ("stats-interval", ["0", "1", "50"]),
    ]
  }

  @Test func theRoomIsNeverSeen() throws {
    let folder = TemporaryFolder()
    let pictures = [
      try folder.writePicture("violet.png", color: 0xFF80_60A0),
      try folder.writePicture("wide.png", color: 0xFF70_8040, width: 300, height: 20),
      // Partly transparent: the background colour shines through.
      try folder.writePicture("clear.png", color: 0x6060_80A0),
      try folder.write(StoredVideo(lumas: [80, 110, 140, 170])),
    ]
    let choices = Self.choices(pictures)
    let filter = try TestFilter(width: 1280, height: 720, sink: "video/x-raw, format=NV12")
    filter.models.change("missing") { $0.loadFailure = .init(.modelNotFound, "it is not there") }
    filter.models.change("better") { $0.classes = ["person", "dog", "cat"] }
    var random = SeededGenerator(seed: 5)
    var (frames, out, seen, late) = (0, 0, 0, 0)
    var changed = 0
    while changed < Self.changes {
      // Now and then many at once, as a program that restores its settings makes.
      for _ in 0..<(frames % 40 == 39 ? 60 : Int.random(in: 0...4, using: &random)) {
        guard let (name, values) = choices.randomElement(using: &random),
          let value = values.randomElement(using: &random)
        else { continue }
        filter.set(name, value)
        changed += 1
      }
      // A failing inference, too.
      let fails = Int.random(in: 0..<20, using: &random) == 0
      filter.models.change("good") {
        $0.inferenceFailure = fails ? .init(.inferenceFailed, "out of order") : nil
      }
      let began = g_get_monotonic_time()
      #expect(filter.pushRoom(time: UInt64(frames) * Self.frame) == GST_FLOW_OK)
      if g_get_monotonic_time() - began > 2 * Int64(Self.frame / 1000) { late += 1 }
      frames += 1
      while let picture = try filter.pull() {
        out += 1
        // The fake network's samples lie 20 pixels apart.
        let part = Room.visiblePart(of: picture, margin: 10)
        if part > 0 { seen += 1 }
        #expect(part == 0, "frame \(frames) after \(changed) changes")
      }
    }
    let repeated = try filter.statistic("repeated")
    print(
      "\(changed) changes: \(frames) frames in, \(out) out, \(repeated) of them repeated; "
        + "\(seen) show the room; \(late) took more than two frames' times")
    #expect(out > frames / 2)
    #expect(try filter.statistic("frames-in") == UInt64(frames))
    #expect(try filter.statistic("frames-out") == UInt64(out))
  }
}
