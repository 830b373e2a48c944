import Testing

import Matting
import TestSupport

@Suite struct KeepTests {
  private func scene(_ keep: MatteSettings.Keep) -> MatteScene {
    var scene = MatteScene()
    scene.keep = keep
    return scene
  }

  /// Whether the person centred at `x` is visible.
  private func shows(_ result: MatteScene.Result, _ x: Double, row: Int = 140) -> Bool {
    result.alpha(Int(x), row) == 255
  }

  @Test("shows only the nearest person, unchanged")
  func onlyNearest() {
    let scene = scene(.nearest)
    for _ in 0..<10 {
      let result = scene.infer {
        $0.person(70)
        $0.person(230, scale: 0.7)
      }
      #expect(result.isUntouched(0..<150))
      #expect(result.isEmpty(170..<320))
      #expect(result.isEmpty(160..<320) && result.keptArea > 8000)
    }
  }

  @Test(
    "hides all people in a noisy matte and still tracks them",
    arguments: [MatteSettings.Keep.nearest, .tracked])
  func noisyMatte(keep: MatteSettings.Keep) {
    let scene = scene(keep)
    func people(_ painter: MatteScene.Painter) {
      painter.person(70, scale: 0.9)
      painter.person(230, scale: 0.85)
    }
    scene.infer(times: 5, people)
    let noise = scene.infer { painter in
      people(painter)
      for y in stride(from: 0, to: 60, by: 3) {
        for x in stride(from: 130, to: 170, by: 2) { painter.fill(x..<x + 1, y..<y + 1, 255) }
      }
    }
    #expect(noise.isEmpty(0..<320))
    // The other person is larger now, but not enough to replace the first one.
    let after = scene.infer(times: 3) {
      $0.person(70, scale: 0.85)
      $0.person(230, scale: 0.9)
    }
    #expect(shows(after, 70) && !shows(after, 230))
  }

  @Test("does not switch between people of similar size")
  func similarSizes() {
    let scene = scene(.nearest)
    for i in 0..<100 {
      let result = scene.infer {
        $0.person(70, scale: i % 20 < 10 ? 0.95 : 1)
        $0.person(230, scale: i % 14 < 7 ? 1.02 : 0.93)
      }
      if i > 0 { #expect(shows(result, 230) == false || shows(result, 70) == false) }
      #expect(shows(result, 230), "\(i)")
    }
  }

  @Test("tracks the first person even if another is larger")
  func firstPerson() {
    let scene = scene(.tracked)
    scene.infer(times: 10) { $0.person(70, scale: 0.6) }
    for i in 0..<60 {
      let result = scene.infer {
        $0.person(70, scale: 0.6)
        $0.person(360 - 2 * Double(i), scale: 1)
      }
      #expect(shows(result, 70) && result.isEmpty(300..<320))
    }
  }

  @Test("keeps a small tracked person without a face while a much larger one is there")
  func smallPerson() {
    let scene = scene(.tracked)
    scene.infer(times: 10) { $0.person(70, scale: 0.4) }
    for i in 0..<60 {
      let result = scene.infer {
        $0.person(70, scale: 0.4)
        $0.person(230)
      }
      #expect(shows(result, 70) && result.isEmpty(160..<320), "\(i)")
    }
  }

  @Test("finds the tracked person again after the network missed them")
  func missedPerson() {
    let scene = scene(.tracked)
    let two: (MatteScene.Painter) -> Void = {
      $0.person(70)
      $0.person(230)
    }
    let first = scene.infer(times: 10, two)
    let isLeft = shows(first, 70)
    scene.infer(times: 5) { $0.person(isLeft ? 230 : 70) }
    let result = scene.infer(two)
    #expect(shows(result, 70) == isLeft && shows(result, 230) != isLeft)
  }

  @Test("follows the tracked person when people cross", arguments: [1.5, 3, 6])
  func crossing(speed: Double) {
    let scene = scene(.tracked)
    scene.infer(times: 5) { $0.person(50, scale: 0.8) }
    var last: MatteScene.Result?
    var places = (50.0, 270.0)
    // The two walk past each other, and are one silhouette for a while.
    while places.0 < 270 {
      places = (places.0 + speed, places.1 - speed)
      last = scene.infer {
        $0.person(places.0, scale: 0.8)
        $0.person(places.1, scale: 0.8)
      }
    }
    #expect(last.map { shows($0, places.0) && !shows($0, places.1) } == true)
  }

  /// Paints a red person at `red`, and a blue one at `blue`.
  private func paint(_ picture: TestPicture, red: Double, blue: Double) {
    picture.paint((190, 40, 30)) { x, _ in abs(Double(x) - red) < 60 }
    picture.paint((30, 50, 180)) { x, _ in abs(Double(x) - blue) < 60 }
  }

  @Test("recognises the tracked person by their colours in a new scene")
  func newScene() {
    let scene = scene(.tracked)
    paint(scene.picture, red: 70, blue: 230)
    scene.infer(times: 10) { $0.person(70) }
    scene.infer(times: 10) {
      $0.person(70)
      $0.person(230)
    }
    // The two swap their places, and the other one is larger now.
    scene.selector.reset()
    paint(scene.picture, red: 250, blue: 90)
    for i in 0..<40 {
      let result = scene.infer {
        $0.person(250, scale: 0.7)
        $0.person(90)
      }
      #expect(shows(result, 250) && result.isEmpty(0..<160), "\(i)")
    }
  }

  @Test("recognises the tracked person after a scene without them", arguments: [false, true])
  func sceneWithoutThem(showsOther: Bool) {
    let scene = scene(.tracked)
    paint(scene.picture, red: 70, blue: 230)
    scene.infer(times: 10) { $0.person(70) }
    scene.selector.reset()
    scene.infer(times: 60) { if showsOther { $0.person(230) } }
    if showsOther { scene.selector.reset() }
    let result = scene.infer(times: 15) {
      $0.person(70, scale: 0.7)
      $0.person(230)
    }
    #expect(shows(result, 70) && result.isEmpty(160..<320))
  }

  @Test("does not alternate between people in the same clothes after a new scene")
  func sameClothes() {
    let scene = scene(.tracked)
    scene.picture.paint((190, 40, 30))
    scene.infer(times: 10) { $0.person(70) }
    scene.selector.reset()
    for i in 0..<30 {
      let result = scene.infer {
        $0.person(70, scale: i % 2 == 0 ? 0.95 : 1)
        $0.person(230, scale: i % 3 == 0 ? 0.95 : 1)
      }
      #expect(shows(result, 70) && !shows(result, 230), "\(i)")
    }
  }

  @Test func touchingShouldersAreSeparated() {
    let scene = scene(.nearest)
    scene.infer(times: 5) {
      $0.person(90)
      $0.person(230, scale: 0.9)
    }
    for i in 0..<20 {
      let result = scene.infer {
        $0.person(90)
        $0.person(230, scale: 0.9)
        $0.fill(140..<190, 150..<165, 255)
      }
      #expect(shows(result, 90) && !shows(result, 230), "\(i)")
      #expect(result.alpha(142, 157) == 255 && result.alpha(186, 157) == 0)
      #expect(result.isEmpty(190..<320))
    }
  }

  @Test("keeps a hand of the selected person")
  func hand() {
    let scene = scene(.nearest)
    let result = scene.infer(times: 10) {
      $0.person(70)
      $0.person(250, scale: 0.8)
      $0.ellipse(112, 85, 9, 9)
    }
    #expect(result.alpha(112, 85) == 255 && result.isEmpty(200..<320))
  }
}
