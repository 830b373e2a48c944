import Testing
import Threads

@testable import GstBackground
@testable import GstVBGFilter

/// When the pictures of a video are shown, whatever its file says of their times.
@Suite struct LoopTimelineTests {
  private let picture: UInt64 = 40_000_000

  @Test func passesFollowOneAnotherWithoutAGap() {
    var timeline = LoopTimeline()
    for pass in 0..<3 {
      for index in 0..<5 {
        // Streams need not begin with 0.
        let place = timeline.place(
          stamp: 80_000_000 + UInt64(index) * picture, duration: picture)
        #expect(place.time == UInt64(pass * 5 + index) * picture)
        #expect(place.end == place.time + picture)
      }
      let hadPictures1 = timeline.endPass(now: 0)
      #expect(hadPictures1)
    }
  }

  @Test func roundedTimesDoNotAddUp() {
    var timeline = LoopTimeline()
    for pass in 0..<1000 {
      for index in 0..<15 {
        let exact = Double(index) * 1000 / 30
        let place = timeline.place(
          stamp: UInt64(exact.rounded()) * 1_000_000, duration: 33_333_333)
        let wanted = Double(pass) * 500_000_000 + exact * 1_000_000
        #expect(abs(Double(place.time) - wanted) < 600_000)
      }
      let hadPictures2 = timeline.endPass(now: 0)
      #expect(hadPictures2)
    }
  }

  @Test func aClockBeyondAllTimesIsLivedThrough() {
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

  @Test func theClockStandsStillAcrossTimesThatAreFarApart() {
    var clock = BackgroundClock()
    // Minus one second, as a source that counts below zero writes it.
    let times: [UInt64] = [
      0, 40_000_000, 0 &- 1_000_000_000, 0 &- 960_000_000, 80_000_000, 120_000_000,
    ]
    for time in times {
      clock.advance(to: time)
    }
    #expect(clock.position == 120_000_000)
  }

  @Test func picturesOfOneTimeFollowOneAnother() {
    var timeline = LoopTimeline()
    let places = (0..<3).map { _ in timeline.place(stamp: 0, duration: 100_000_000) }
    #expect(places.map(\.time) == [0, 100_000_000, 200_000_000])
  }

  @Test func withoutDurationsTheLastIntervalCounts() {
    var timeline = LoopTimeline()
    let places = [0, 50, 110].map {
      timeline.place(stamp: UInt64($0) * 1_000_000, duration: nil)
    }
    #expect(places.map(\.end) == [40_000_000, 100_000_000, 170_000_000])
    let hadPictures3 = timeline.endPass(now: 0)
    #expect(hadPictures3)
    let next = timeline.place(stamp: 0, duration: nil)
    #expect(next.time == 170_000_000)
  }

  @Test func withoutAnyTimesPicturesAreShownOneAfterTheOther() {
    var timeline = LoopTimeline()
    let times = (0..<4).map { _ in timeline.place(stamp: nil, duration: nil).time }
    #expect(times == [0, 40_000_000, 80_000_000, 120_000_000])
  }

  @Test func passesThatAreOverAreLeftOut() {
    var timeline = LoopTimeline()
    for index: UInt64 in 0..<10 { _ = timeline.place(stamp: index * picture, duration: picture) }
    let hadPictures4 = timeline.endPass(now: 3_900_000_000)
    #expect(hadPictures4)
    // Nine passes of 0.4 s have gone by.
    let next = timeline.place(stamp: 0, duration: picture)
    #expect(next.time == 3_600_000_000)
  }

  @Test func aPassWithoutAPictureEndsIt() {
    var timeline = LoopTimeline()
    let hadPictures5 = timeline.endPass(now: 0)
    #expect(!hadPictures5)
    _ = timeline.place(stamp: 0, duration: picture)
    let hadPictures6 = timeline.endPass(now: 0)
    #expect(hadPictures6)
    let hadPictures7 = timeline.endPass(now: 0)
    #expect(!hadPictures7)
  }

  @Test func noNumberOfAFileOverflows() {
    var timeline = LoopTimeline()
    for stamp: UInt64? in [0, .max - 1, 0, nil, .max - 1, 5, nil] {
      for _ in 0..<40 { _ = timeline.place(stamp: stamp, duration: .max - 1) }
      let hadPictures8 = timeline.endPass(now: .max / 2)
      #expect(hadPictures8)
    }
  }

  @Test func theClockFollowsRunningTime() {
    var clock = BackgroundClock()
    clock.advance(to: 5000)
    #expect(clock.position == 0)
    clock.advance(to: 5400)
    clock.advance(to: 5400)
    #expect(clock.position == 400)
    // Backwards and across a jump it stands still.
    clock.advance(to: 100)
    #expect(clock.position == 400)
    clock.advance(to: 150)
    #expect(clock.position == 450)
    clock.recordJump()
    clock.advance(to: 9000)
    #expect(clock.position == 450)
    clock.advance(to: nil)
    #expect(clock.position == 450 + 33_333_333)
    clock.restart()
    clock.advance(to: 10_000)
    #expect(clock.position == 0)
  }

  @Test func whoeverIsLateToReactReactsAtOnce() {
    let cancellation = Cancellation()
    let count = Monitor(0)
    cancellation.react { count.change { $0 += 1 } }
    cancellation.cancel()
    #expect(cancellation.isCancelled && count.current == 1)
    cancellation.react { count.change { $0 += 1 } }
    #expect(count.current == 2)
  }

  @Test func threadsThatHangAreCounted() {
    let threads = BackgroundThreads()
    let isOpen = Monitor(false)
    var started = 0
    while threads.run({ isOpen.wait { $0 ? () : nil } }), started < 100 { started += 1 }
    #expect(started == 16)
    #expect(threads.count == 16)
    // Whoever wants the next one is told why there is none, and what to do.
    let error = #expect(throws: BackgroundError.self) {
      try BackgroundOpening("office.png", patience: .seconds(20), threads: threads)
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
