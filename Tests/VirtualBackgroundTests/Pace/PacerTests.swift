import Testing

@testable import VirtualBackground

@Suite struct PacerTests {
  private func inferences(fps: Double, target: Double, frames: Int) -> [Int] {
    var pacer = Pacer()
    return (0..<frames).filter {
      pacer.isDue(at: UInt64(Double($0) * 1_000_000_000 / fps), targetFPS: target)
    }
  }

  @Test("keeps the target rate on average", arguments: zip([0, 10, 20, 1000], [12, 4, 8, 12]))
  func rates(target: Double, count: Int) {
    #expect(inferences(fps: 30, target: target, frames: 12).count == count)
  }

  @Test("requests an inference for every frame without a time")
  func framesWithoutTime() {
    var pacer = Pacer()
    for _ in 0..<5 {
      let due = pacer.isDue(at: nil, targetFPS: 1)
      #expect(due)
    }
  }

  @Test("does not wait for the due time of an earlier, lower rate")
  func higherRate() {
    var pacer = Pacer()
    let first = pacer.isDue(at: 0, targetFPS: 0.01)
    let early = pacer.isDue(at: 1_000_000_000, targetFPS: 0.01)
    #expect(first && !early)
    let due = (1...12).filter {
      pacer.isDue(at: 1_000_000_000 + UInt64($0) * 100_000_000, targetFPS: 2)
    }
    #expect(due == [6, 11])
  }

  @Test("starts again when time goes back")
  func timeGoesBack() {
    var pacer = Pacer()
    let due = [(5_000_000_000, true), (5_100_000_000, false), (0, true), (100_000_000, false)]
    for (time, expected) in due {
      let isDue = pacer.isDue(at: UInt64(time), targetFPS: 1)
      #expect(isDue == expected)
    }
  }

  @Test("does not make up for a pause")
  func pause() {
    var pacer = Pacer()
    let second: UInt64 = 1_000_000_000
    let first = pacer.isDue(at: 0, targetFPS: 1)
    let afterPause = pacer.isDue(at: 60 * second, targetFPS: 1)
    let soonAfter = pacer.isDue(at: 60 * second + second / 2, targetFPS: 1)
    #expect(first && afterPause && !soonAfter)
  }

  @Test(arguments: [1e-12, 1e12]) func extremeRatesDoNotTrap(fps: Double) {
    var pacer = Pacer()
    let first = pacer.isDue(at: UInt64.max - 5, targetFPS: fps)
    _ = pacer.isDue(at: UInt64.max, targetFPS: fps)
    #expect(first)
  }
}
