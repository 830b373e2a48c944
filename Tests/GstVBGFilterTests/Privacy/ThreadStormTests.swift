import CGStreamer
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// Other threads use the element while one thread pushes frames.
///
/// The thread sanitizer also detects data that is shared without a lock.
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
      ("target-fps", ["0", "10"]), ("quality", ["fast", "accurate", "auto"]),
      ("keep", ["everyone", "nearest"]),
      ("light-wrap", ["0", "0.5"]), ("attach-matte", ["true", "false"]),
      ("adaptive", ["true", "false"]), ("subjects", ["person", "dog,cat"]),
      ("stats-interval", ["0", "1"]), ("inference", ["when-needed", "every-frame"]),
    ]
    let filter = try TestFilter(["background-path": backgrounds[0]])
    _ = try filter.process(time: 0)
    let isDone = Monitor(false)
    // The setters have distinct properties, so that they do not overwrite each other's values.
    let setters = (0..<2).map { number in
      Setter(
        choices.enumerated().filter { $0.offset % 2 == number }.map(\.element), of: filter,
        seed: UInt64(number) + 3, isDone)
    }
    let asker = Asker(filter, isDone)
    var (seen, out) = (0, 1)
    for index in 1...Self.frames {
      #expect(filter.pushRoom(time: UInt64(index) * Self.frame) == GST_FLOW_OK)
      while let picture = try filter.pull() {
        out += 1
        if Room.visiblePart(of: picture, margin: 10) > 0.01 { seen += 1 }
      }
    }
    isDone.change { $0 = true }
    for setter in setters {
      let (settings, lost) = setter.thread.join()
      #expect(settings > 0)
      #expect(lost == [])
    }
    let (questions, wrong) = asker.thread.join()
    #expect(questions > 0)
    #expect(wrong == [])
    #expect(seen == 0)
    #expect(try filter.statistic("frames-in") == UInt64(Self.frames) + 1)
    #expect(try filter.statistic("frames-out") == UInt64(out))
    #expect(try filter.statistic("dropped") == UInt64(Self.frames + 1 - out))
  }

  /// Sets some properties repeatedly and checks that they keep their values.
  private struct Setter {
    /// Returns the number of changes, and the properties that lost their values.
    let thread: HelperThread<(settings: Int, lost: [String])>

    init(
      _ choices: [(name: String, values: [String])], of filter: TestFilter, seed: UInt64,
      _ isDone: Monitor<Bool>
    ) {
      let shared = Borrowed(filter)
      thread = HelperThread {
        var random = SeededGenerator(seed: seed)
        var (settings, lost) = (0, [String]())
        // The values as the element formats them.
        var last: [String: String] = [:]
        while !isDone.current {
          guard let (name, values) = choices.randomElement(using: &random),
            let value = values.randomElement(using: &random)
          else { continue }
          if let last = last[name], last != shared.value.value(of: name) {
            lost.append("\(name)=\(last)")
          }
          shared.value.set(name, value)
          last[name] = shared.value.value(of: name)
          settings += 1
          g_usleep(300)
        }
        return (settings, lost)
      }
    }
  }

  /// Queries the state of the element and reports late frames.
  private struct Asker {
    /// Returns the number of queries, and the answers that are inconsistent.
    let thread: HelperThread<(questions: Int, wrong: [[UInt64]])>

    init(_ filter: TestFilter, _ isDone: Monitor<Bool>) {
      let shared = Borrowed(filter)
      thread = HelperThread {
        var (questions, time, wrong) = (0, UInt64(0), [[UInt64]]())
        var framesBefore: UInt64 = 0
        while !isDone.current {
          // One report in ten is about a late frame.
          time += ThreadStormTests.frame
          shared.value.report(
            lateness: questions % 10 == 0 ? 20_000_000 : -1_000_000, ofFrameAt: time)
          _ = shared.value.messages()
          _ = try? shared.value.outputCaps()
          // The counters change after each frame, so every counted frame has a result.
          let counts =
            (try? shared.value.statistics(["frames-in", "frames-out", "dropped"])) ?? [0, 0, 1]
          if counts[0] != counts[1] + counts[2] || counts[0] < framesBefore { wrong.append(counts) }
          framesBefore = counts[0]
          questions += 1
          g_usleep(1000)
        }
        return (questions, wrong)
      }
    }
  }
}
