import Testing

@testable import Matting

@Suite struct LookTimesTests {
  private let second = MatteClock.ticks(seconds: 1)

  @Test func thereIsALookEachSecond() {
    var times = LookTimes()
    #expect(times.isDue)
    let isFound = times.note(share: 0.009)
    #expect(!isFound && !times.isDue)
    times.advance(by: second - 1)
    #expect(!times.isDue)
    times.advance(by: 1)
    #expect(times.isDue)
  }

  @Test func whatWasFoundIsLookedForInEachFrameOfTwoSeconds() {
    var times = LookTimes()
    var isFound = times.note(share: 0.01)
    #expect(isFound)
    for _ in 1..<2 * second {
      times.advance(by: 1)
      #expect(times.isDue)
      isFound = times.note(share: 0.004)
      #expect(!isFound)
    }
    times.advance(by: 1)
    #expect(!times.isDue)
    times.reset()
    #expect(times.isDue)
  }

  @Test func lessIsEnoughAfterwards() {
    var times = LookTimes()
    let found = [times.note(share: 0.01), times.note(share: 0.005)]
    times.advance(by: 2 * second)
    let later = times.note(share: 0.009)
    #expect(found == [true, true] && !later)
  }

  @Test func longPausesDoNotOverflow() {
    var times = LookTimes()
    times.advance(by: .max / 2)
    times.advance(by: .max / 2)
    times.advance(by: .max / 2)
    #expect(times.isDue)
  }
}
