import CGStreamer
import TestSupport
import Testing
import VirtualBackground

@testable import GstVBGFilter

/// What other threads may do to the element while one thread pushes frames through it.
///
/// Under the thread sanitizer it shows that nothing is shared without a lock.
@Suite struct ThreadStormTests {
  private static let frames = 300
  private static let frame: UInt64 = 33_333_333

  @Test func eachFrameIsHiddenAndCountedOnce() throws {
    let folder = TemporaryFolder()
    let backgrounds = [
      try folder.write(StoredVideo(lumas: [80, 110, 140, 170])),
      try folder.write(StoredVideo(lumas: [90, 120]), as: .transportStream, name: "stream"),
      try folder.writePicture("violet.png", color: 0xFF80_60A0),
    ]
    let choices = [
      ("background-path", backgrounds), ("effect", ["replace", "color", "blur", "matte"]),
      ("fit", ["cover", "contain"]), ("pacing", ["reuse-matte", "repeat-frame", "drop-frame"]),
      ("target-fps", ["0", "10"]), ("quality", ["fast", "accurate"]),
      ("keep", ["everyone", "nearest"]),
      ("light-wrap", ["0", "0.5"]), ("attach-matte", ["true", "false"]),
      ("adaptive", ["true", "false"]), ("subjects", ["person", "dog,cat"]),
      ("stats-interval", ["0", "1"]), ("skip-still", ["true", "false"]),
    ]
    let filter = try TestFilter(["background-path": backgrounds[0]])
    _ = try filter.process(time: 0)
    let isDone = Monitor(false)
    let shared = Borrowed(filter)
    let setter = HelperThread {
      var random = SeededGenerator(seed: 3)
      while !isDone.current {
        guard let (name, values) = choices.randomElement(using: &random),
          let value = values.randomElement(using: &random)
        else { continue }
        shared.value.set(name, value)
        g_usleep(300)
      }
    }
    let asker = HelperThread {
      var (questions, time) = (0, UInt64(0))
      while !isDone.current {
        // One in ten says that frames are late.
        time += Self.frame
        shared.value.report(
          lateness: questions % 10 == 0 ? 20_000_000 : -1_000_000, ofFrameAt: time)
        if (try? shared.value.statistic("frames-in")) != nil,
          (try? shared.value.outputCaps()) != nil
        {
          questions += 1
        }
        _ = shared.value.messages()
        g_usleep(1000)
      }
      return questions
    }
    var (seen, out) = (0, 1)
    for index in 1...Self.frames {
      #expect(filter.pushRoom(time: UInt64(index) * Self.frame) == GST_FLOW_OK)
      while let picture = try filter.pull() {
        out += 1
        if Room.visiblePart(of: picture, margin: 10) > 0.01 { seen += 1 }
      }
    }
    isDone.change { $0 = true }
    setter.join()
    #expect(asker.join() > 0)
    #expect(seen == 0)
    #expect(try filter.statistic("frames-in") == UInt64(Self.frames) + 1)
    #expect(try filter.statistic("frames-out") == UInt64(out))
    #expect(try filter.statistic("dropped") == UInt64(Self.frames + 1 - out))
  }
}
