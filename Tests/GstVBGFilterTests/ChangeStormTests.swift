import CGStreamer
import TestSupport
import Testing
import Threads

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
      ("inference", ["when-needed", "every-frame"]),
      ("attach-matte", ["true", "false"]),
      ("target-fps", ["0", "5", "12", "30"]),
      ("pacing", ["reuse-matte", "repeat-frame", "drop-frame"]),
      ("quality", ["fast", "balanced", "accurate", "auto"]),
      ("model", ["good", "better", "missing"]),
      ("subjects", ["person", "dog,cat"]),
      ("fit", ["cover", "contain", "stretch"]),
      ("input-orientation", ["auto", "90r", "180", "ur-ll"]),
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
    var (frames, out, changed, framesDuringLoads) = (0, 0, 0, 0)
    func change(_ count: Int) {
      for _ in 0..<count {
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
    }
    func pushFrame() throws {
      #expect(filter.pushRoom(time: UInt64(frames) * Self.frame) == GST_FLOW_OK)
      frames += 1
      while let picture = try filter.pull() {
        out += 1
        // The fake network's samples lie 20 pixels apart.
        let part = Room.visiblePart(of: picture, margin: 10)
        #expect(part == 0, "frame \(frames) after \(changed) changes")
      }
    }
    while changed < Self.changes {
      // Now and then many at once, as a program that restores its settings makes.
      change(frames % 40 == 39 ? 60 : Int.random(in: 0...4, using: &random))
      try pushFrame()
      guard frames % 50 == 20 else { continue }
      // Nobody knows how long a network takes to load: no frame waits for it.
      let load = HeldLoad("held \(frames)", filter)
      try Patience.wait {
        try pushFrame()
        return load.hasBegun
      }
      for _ in 0..<12 {
        change(Int.random(in: 0...4, using: &random))
        try pushFrame()
        framesDuringLoads += 1
      }
      #expect(load.end(), "a frame waited")
    }
    #expect(framesDuringLoads > 0)
    #expect(out > frames / 2)
    #expect(try filter.statistic("frames-in") == UInt64(frames))
    #expect(try filter.statistic("frames-out") == UInt64(out))
  }
}

/// A network that goes on being loaded until somebody lets it come to its end.
private struct HeldLoad {
  private let name: String
  private let models: FakeModels
  private let isOver = Monitor(false)
  private let watchdog: HelperThread<Bool>

  /// Makes an element want a network.
  init(_ name: String, _ filter: TestFilter) {
    self.name = name
    models = filter.models
    models.change(name) { $0.stuck = [.load] }
    filter.set("model", name)
    // Who waits for it must not wait for ever.
    watchdog = HelperThread { [isOver, models] in
      let isOver = isOver.wait(upTo: .seconds(60)) { $0 ? true : nil } ?? false
      models.change(name) { $0.stuck = [] }
      return isOver
    }
  }

  /// Whether it is being loaded.
  var hasBegun: Bool { models.loaded.contains { $0.path == name } }

  /// Lets it come to its end; false when somebody had to before.
  func end() -> Bool {
    isOver.change { $0 = true }
    return watchdog.join()
  }
}
