import TestSupport
import Testing
import Threads

@testable import GstBackground
@testable import GstVBGFilter

/// Presentation times of a video, regardless of the timestamps in its file.
@Suite struct LoopTimelineTests {
  private let picture: UInt64 = 40_000_000

  @Test func roundedTimesDoNotAddUp() {
    var timeline = LoopTimeline()
    for pass in 0..<1000 {
      for index in 0..<15 {
        let exact = Double(index) * 1000 / 30
        let place = timeline.place(stamp: UInt64(exact.rounded()) * 1_000_000, duration: 33_333_333)
        let wanted = Double(pass) * 500_000_000 + exact * 1_000_000
        #expect(abs(Double(place.time) - wanted) < 600_000)
      }
      let hadPictures = timeline.endPass(now: 0)
      #expect(hadPictures)
    }
  }

  @Test func aClockBeyondAllTimesDoesNotTrap() {
    var timeline = LoopTimeline()
    for _ in 0..<3 {
      for index in 0..<5 {
        let place = timeline.place(stamp: UInt64(index) * picture, duration: picture)
        #expect(place.time < place.end)
      }
      let hadPictures = timeline.endPass(now: .max - 1)
      #expect(hadPictures)
    }
  }

  @Test func theClockIgnoresTimesThatAreFarApart() {
    var clock = BackgroundClock()
    // Minus one second, as written by a source that counts below zero.
    let times: [UInt64] = [
      0, 40_000_000, 0 &- 1_000_000_000, 0 &- 960_000_000, 80_000_000, 120_000_000,
    ]
    for time in times { clock.advance(to: time) }
    #expect(clock.position == 120_000_000)
  }

  @Test func numbersFromFilesDoNotOverflow() {
    var timeline = LoopTimeline()
    for stamp: UInt64? in [0, .max - 1, 0, nil, .max - 1, 5, nil] {
      for _ in 0..<40 { _ = timeline.place(stamp: stamp, duration: .max - 1) }
      let hadPictures = timeline.endPass(now: .max / 2)
      #expect(hadPictures)
    }
  }

  @Test("opens a video with any time limit", arguments: [Int64.max, 10_000_000_000_000])
  func anyTimeLimit(seconds: Int64) throws {
    GStreamer.prepare()
    let folder = TemporaryFolder()
    let path = try folder.write(StoredVideo(lumas: [90, 100, 110]))
    let threads = BackgroundThreads()
    let opening = try BackgroundOpening(path, timeout: .seconds(seconds), threads: threads)
    guard case .video = try opening.take(Cancellation()) else {
      Issue.record("it is no video")
      return
    }
  }

  @Test func hangingThreadsAreCounted() {
    let threads = BackgroundThreads()
    let isOpen = Monitor(false)
    var started = 0
    while threads.run({ isOpen.wait { $0 ? () : nil } }), started < 100 { started += 1 }
    #expect(started == 16)
    #expect(threads.count == 16)
    // Opening another background fails with an error that names the cause and the remedy.
    let error = #expect(throws: BackgroundError.self) {
      try BackgroundOpening("office.png", timeout: .seconds(20), threads: threads)
    }
    #expect(
      error?.description.hasPrefix("background 'office.png' is not opened: 16 others") == true)
    #expect(error?.description.contains("set background-path to another value and back") == true)
    threads.waitForEnd(upTo: .milliseconds(10))
    isOpen.change { $0 = true }
    threads.waitForEnd(upTo: .seconds(10))
    #expect(threads.count == 0)
    #expect(threads.run {})
    threads.waitForEnd(upTo: .seconds(10))
  }
}
