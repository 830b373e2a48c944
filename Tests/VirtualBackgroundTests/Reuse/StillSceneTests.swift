import TestSupport
import Testing
import Threads

@testable import Matting
@testable import VirtualBackground

@Suite struct StillSceneTests {
  private func scene() -> ReuseScene {
    var scene = ReuseScene()
    scene.settings.inference = .whenNeeded
    return scene
  }

  /// Returns which frames of a still person had an inference.
  ///
  /// The frames have a camera's noise.
  private func inferences(_ scene: ReuseScene, frames: Int) -> [Int] {
    (0..<frames).filter { number in
      let picture = scene.frame(at: (x: 200, y: 100), noise: 3, seed: UInt64(number))
      return scene.process(picture) == .composed(inferred: true)
    }
  }

  @Test("runs one inference per second once the scene has been still for half a second")
  func interval() {
    #expect(inferences(scene(), frames: 80) == Array(0..<8) + [12, 43, 74])
  }

  @Test("does not rest while a recurrent network still forgets a person who has left")
  func ghost() {
    let scene = scene()
    _ = inferences(scene, frames: 40)
    // The network forgets a second person with each inference.
    let count = Monitor(0)
    scene.segmenter.alpha = { red, _, blue, x, y in
      if x == 0, y == 0 { count.change { $0 += 1 } }
      if red > blue { return 1 }
      return 260..<300 ~= x && 60..<160 ~= y ? max(1 - 0.05 * Float(count.current), 0) : 0
    }
    // The next inference is due within a second. All others follow in successive frames.
    let numbers = inferences(scene, frames: 120)
    let first = numbers.first ?? 0
    #expect(first < 31 && numbers.filter { $0 < first + 26 }.count >= 20)
    // Then the scene rests again.
    #expect(numbers.filter { $0 >= first + 30 }.count <= 3)
  }

  @Test("forgets people when the whole picture changes", arguments: [true, false])
  func darkness(personStays: Bool) throws {
    let scene = scene()
    _ = inferences(scene, frames: 40)
    func process(_ picture: TestPicture) {
      #expect(scene.process(picture) == .composed(inferred: true))
    }
    process(TestPicture(format: scene.format, (0, 0, 0)))
    for _ in 0..<20 { scene.process(TestPicture(format: scene.format, (0, 0, 0))) }
    let light = scene.frame(at: personStays ? (x: 200, y: 100) : (x: 400, y: 200))
    process(light)
    #expect(try #require(scene.shown(light, row: 240)?.first ?? 400) >= 400 || personStays)
    if personStays { #expect(try #require(scene.shown(light, row: 140)).first == 200) }
  }

  @Test("sees a hand that begins to move in that frame, and looks more often after it")
  func movingHand() {
    let scene = scene()
    #expect(inferences(scene, frames: 18).last == 12)
    // A hand in a corner of the picture: nothing else moves.
    let picture = scene.frame(at: (x: 200, y: 100), noise: 3, seed: 77)
    picture.frame.luma.change { 500..<520 ~= $0 && 300..<324 ~= $1 ? 200 : $2 }
    #expect(scene.process(picture) == .composed(inferred: true))
    #expect(!inferences(scene, frames: 6).isEmpty)
  }

  @Test("follows a slow drift")
  func slowDrift() throws {
    let scene = scene()
    _ = inferences(scene, frames: 18)
    // A pixel in ten frames: each is nearly the same as the one before it.
    var lag = 0
    for number in 0..<60 {
      let corner = (x: 200 + number / 10, y: 100)
      let picture = scene.frame(at: corner, noise: 3, seed: UInt64(100 + number))
      scene.process(picture)
      let columns = try #require(scene.shown(picture, row: 140))
      lag = max(lag, abs(columns.first - corner.x))
    }
    #expect(lag <= 2)
  }

  @Test("runs an inference in the first frame after a mask from upstream")
  func maskFromUpstream() throws {
    let scene = scene()
    #expect(inferences(scene, frames: 18).last == 12)
    scene.processMask()
    #expect(inferences(scene, frames: 1) == [0])
  }
}
