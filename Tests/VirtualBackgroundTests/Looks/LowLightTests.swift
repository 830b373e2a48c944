import PixelTypes
import Processor
import TestSupport
import Testing

@testable import VirtualBackground

/// The brightness and the noise of frames that leave the engine.
@Suite struct LowLightTests {
  /// A scene in which the network finds a person in the middle half of the frame.
  private func scene(
    _ effect: EffectSettings.Effect = .color, width: Int = 640, height: Int = 360
  ) -> Scene {
    var scene = Scene(width: width, height: height)
    scene.segmenter.alpha = { _, _, _, x, _ in 16..<48 ~= x ? 1 : 0 }
    scene.settings.effect = effect
    scene.settings.lowLight = 1
    return scene
  }

  private func gray(_ level: UInt8, _ scene: Scene) -> TestPicture {
    TestPicture(format: scene.format, padding: 7, (level, level, level))
  }

  /// A dark picture with noise of up to 3 code values, which depends on `seed`.
  private func noise(_ seed: Int, _ scene: Scene) -> TestPicture {
    let picture = gray(40, scene)
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    picture.changeSamples { _, _, old in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return old &+ UInt8(state >> 60 % 7) &- 3
    }
    return picture
  }

  /// The standard deviation of luma in the middle of a picture.
  private func deviation(_ picture: TestPicture) -> Double {
    var (sum, squares) = (0.0, 0.0)
    for y in 100..<200 {
      for x in 270..<370 {
        let luma = Double(picture.luma(x, y))
        sum += luma
        squares += luma * luma
      }
    }
    return (squares / 10000 - (sum / 10000) * (sum / 10000)).squareRoot()
  }

  @Test(
    "does not change bright pictures",
    arguments: [EffectSettings.Effect.blur, .color, .replace, .transparent, .matte])
  func brightPictures(effect: EffectSettings.Effect) {
    var scene = scene(effect)
    for strength in [0.1, 1] {
      var results: [TestPicture] = []
      for lowLight in [0, strength] {
        scene.engine.reset()
        scene.settings.lowLight = lowLight
        for _ in 0..<3 {
          let picture = scene.picture()
          scene.process(picture)
          results.append(picture)
        }
      }
      for result in results.dropFirst() { #expect(result.maxDifference(from: results[0]) == 0) }
    }
  }

  @Test("brightens the person and the blurred room of dark pictures by the same amount")
  func darkPictures() {
    var scene = scene(.blur)
    var levels: [Int] = []
    for strength in [0, 0.3, 0.6, 1] {
      scene.settings.lowLight = strength
      scene.engine.reset()
      let picture = gray(40, scene)
      scene.process(picture)
      #expect(abs(picture.luma(320, 180) - picture.luma(20, 180)) <= 1)
      #expect(picture.chroma(320, 180) == (128, 128))
      #expect(picture.paddingIsIntact)
      levels.append(picture.luma(320, 180))
    }
    #expect(levels[0] == Int(scene.code((40, 40, 40)).luma))
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 + 8 < $1 })
    #expect(150...200 ~= levels[3])
  }

  /// Returns how much a frame of a dark person is brightened if columns of the room are bright.
  private func gain(brightColumns: Range<Int>, person: UInt8 = 40) -> Int {
    let scene = scene()
    let picture = gray(40, scene)
    picture.paint((person, person, person)) { x, _ in scene.isPerson(x) }
    picture.paint((250, 240, 220)) { x, _ in brightColumns.contains(x) }
    let before = picture.luma(320, 180)
    scene.process(picture)
    return picture.luma(320, 180) - before
  }

  @Test("brightens a dark person next to a lamp or a small window")
  func lamp() {
    let usual = gain(brightColumns: 0..<0)
    for width in [3, 6, 19, 51] { #expect(gain(brightColumns: 20..<20 + width) > usual * 2 / 3) }
  }

  @Test("does not brighten a backlit person, and not a well-lit one before a dark room")
  func backlight() {
    #expect(gain(brightColumns: 0..<150) == 0)
    #expect(gain(brightColumns: 0..<0, person: 180) == 0)
    #expect(gain(brightColumns: 0..<3, person: 180) == 0)
  }

  @Test("does not change the matte of effect=matte, and not a blur with a radius of 0")
  func withoutEffect() {
    for effect in [EffectSettings.Effect.matte, .blur] {
      var results: [TestPicture] = []
      for strength in [0, 1.0] {
        var scene = scene(effect)
        scene.settings.blurRadius = 0
        scene.settings.lowLight = strength
        let picture = noise(1, scene)
        scene.process(picture)
        results.append(picture)
      }
      #expect(results[0].maxDifference(from: results[1]) == 0)
    }
  }

  @Test("divides the noise of a still person by two")
  func noiseReduction() {
    let scene = scene()
    var deviations: [Double] = []
    for frame in 0..<12 {
      let picture = noise(frame, scene)
      scene.process(picture)
      deviations.append(deviation(picture))
    }
    #expect(deviations[0] > 3)
    #expect(deviations[11] < deviations[0] / 2)
  }

  @Test("leaves no trail behind a moving square")
  func movingSquare() {
    let scene = scene()
    for frame in 0..<20 {
      let picture = gray(40, scene)
      picture.paint(
        (55, 55, 55), in: PixelRegion(x: 200 + 8 * frame, y: 100, width: 40, height: 40))
      let fresh = picture.copy()
      scene.process(picture)
      self.scene().process(fresh)
      #expect(picture.maxDifference(from: fresh) <= 2)
    }
  }

  @Test("shows nothing of the room of earlier frames where the person comes")
  func earlierRoom() {
    // The room has stripes that reduced samples do not show, with the mean of the person.
    var scene = scene()
    scene.settings.despill = false
    for frame in 0..<20 {
      let left = 4 + frame
      scene.segmenter.alpha = { _, _, _, x, _ in left..<left + 24 ~= x ? 1 : 0 }
      let picture = gray(40, scene)
      let isPerson = { (x: Int) in x >= 10 * left && x < 10 * (left + 24) }
      picture.paint((20, 20, 20)) { x, _ in !isPerson(x) && x % 2 == 0 }
      picture.paint((60, 60, 60)) { x, _ in !isPerson(x) && x % 2 == 1 }
      scene.process(picture)
      let middle = picture.luma(10 * left + 120, 180)
      for x in 10 * left + 14..<10 * (left + 24) - 14 {
        #expect(abs(picture.luma(x, 180) - middle) <= 1)
      }
    }
  }

  @Test("follows another scene at once, and ignores a phone that lights up")
  func changes() {
    let scene = scene()
    func level(_ picture: TestPicture) -> Int {
      scene.process(picture)
      return picture.luma(320, 180)
    }
    let dark = (0..<5).map { _ in level(gray(40, scene)) }
    #expect(Set(dark).count == 1)
    let phone = (0..<5).map { _ in
      let picture = gray(40, scene)
      picture.paint((250, 250, 250)) { x, y in x < 120 && y < 50 }
      return level(picture)
    }
    #expect(phone.allSatisfy { 0...2 ~= dark[4] - $0 })
    #expect(level(gray(150, scene)) == Int(scene.code((150, 150, 150)).luma))
    #expect(level(gray(40, scene)) == dark[0])
  }

  @Test("starts afresh after a reset")
  func reset() {
    let scene = scene()
    for frame in 0..<4 { scene.process(noise(frame, scene)) }
    scene.engine.reset()
    let (picture, fresh) = (noise(9, scene), noise(9, scene))
    scene.process(picture)
    self.scene().process(fresh)
    #expect(picture.maxDifference(from: fresh) == 0)
  }

  @Test(
    "gives the same pixels with every instruction set, in place and into a copy",
    arguments: [(16, 16), (17, 17), (641, 361), (1283, 719), (2048, 16), (16, 512)])
  func instructionSets(width: Int, height: Int) {
    for effect in [EffectSettings.Effect.blur, .color] {
      var results: [TestPicture] = []
      for (set, copies) in InstructionSet.available.flatMap({ [($0, false), ($0, true)] }) {
        let scene = scene(effect, width: width, height: height)
        let engine = VirtualBackgroundEngine(scene.format, scene.segmenter, threads: 2)
        for frame in 0..<3 {
          let (picture, before) = (noise(frame, scene), noise(frame, scene))
          let output = copies ? TestPlanes(.nv12, format: scene.format, padding: 7) : nil
          _ = set.run { engine.process(picture, into: output, settings: scene.settings) }
          if copies { #expect(picture.maxDifference(from: before) == 0) }
          #expect(picture.paddingIsIntact && output?.paddingIsIntact != false)
          if frame == 2 { results.append(output?.makePicture() ?? picture) }
        }
      }
      for result in results.dropFirst() { #expect(result.maxDifference(from: results[0]) == 0) }
    }
  }
}
