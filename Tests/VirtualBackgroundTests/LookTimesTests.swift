import Testing

@testable import VirtualBackground

@Suite struct LookTimesTests {
  private let second = MatteClock.ticks(seconds: 1)

  @Test func thereIsALookEachSecond() {
    var times = LookTimes()
    #expect(times.isDue)
    times.note(isFound: false)
    #expect(!times.isDue)
    times.advance(by: second - 1)
    #expect(!times.isDue)
    times.advance(by: 1)
    #expect(times.isDue && !times.isFoundRecent)
  }

  @Test func whatWasFoundIsLookedForInEachFrameOfTwoSeconds() {
    var times = LookTimes()
    times.note(isFound: true)
    for _ in 1..<2 * second {
      times.advance(by: 1)
      #expect(times.isDue && times.isFoundRecent)
      times.note(isFound: false)
    }
    times.advance(by: 1)
    #expect(!times.isDue && !times.isFoundRecent)
    times.reset()
    #expect(times.isDue)
  }

  @Test func longPausesDoNotOverflow() {
    var times = LookTimes()
    times.advance(by: .max / 2)
    times.advance(by: .max / 2)
    times.advance(by: .max / 2)
    #expect(times.isDue)
  }
}
