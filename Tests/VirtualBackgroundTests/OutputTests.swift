import CAllocationCounter
import Compositing
import Matting
import PixelTypes
import TestSupport
import Testing
import VirtualBackground

/// Output in formats other than the frame's format.
@Suite struct OutputTests {
  static let sizes = [(16, 16), (17, 17), (31, 18), (385, 289), (640, 360), (640, 361)]
  static let effects: [EffectSettings.Effect] = [.blur, .replace, .color, .matte, .transparent]

  /// A noisy room, and in it a noisy person with a soft edge.
  private func scene(
    _ size: (Int, Int), _ effect: EffectSettings.Effect, colorimetry: Colorimetry = .bt709
  ) -> (scene: Scene, picture: TestPicture) {
    var scene = Scene(
      width: size.0, height: size.1, colorimetry: colorimetry,
      tensor: TensorFormat(width: 32, height: 32))
    scene.settings.effect = effect
    scene.settings.backgroundColor = 0xFF30_90D0
    scene.settings.matte.smoothing = 0
    let plate = TestPicture(format: scene.format)
    plate.changeSamples { x, y, _ in UInt8(40 + (3 * x + 5 * y) % 170) }
    scene.engine.use(Plate(of: plate))
    let picture = scene.picture()
    var generator = SeededGenerator(seed: 5)
    picture.changeSamples { $2 &+ generator.byte() % 24 &- 12 }
    return (scene, picture)
  }

  /// Returns the frame after processing in place.
  private func inPlace(_ scene: Scene, _ picture: TestPicture) -> TestPicture {
    let copy = picture.copy()
    #expect(scene.process(copy) == .composed(inferred: true))
    scene.engine.reset()
    return copy
  }

  /// Returns the output in another format, and checks that the frame is unchanged.
  private func output(
    _ format: PixelFormat, _ scene: Scene, _ picture: TestPicture, padding: Int = 0
  ) -> TestPlanes {
    let before = picture.copy()
    let out = TestPlanes(format, format: scene.format, padding: padding)
    #expect(scene.process(picture, into: out) == .composed(inferred: true))
    #expect(picture.maxDifference(from: before) == 0)
    #expect(out.paddingIsIntact)
    scene.engine.reset()
    return out
  }

  @Test("writes 4:2:0 formats with the samples of the frame in place", arguments: sizes, effects)
  func subsampledFormats(_ size: (Int, Int), _ effect: EffectSettings.Effect) {
    let (scene, picture) = scene(size, effect)
    let expected = TestPlanes(.nv12, format: scene.format)
    expected.take(inPlace(scene, picture))
    let pairs = expected.bytes(plane: 1)
    let cb = stride(from: 0, to: pairs.count, by: 2).map { pairs[$0] }
    let cr = stride(from: 1, to: pairs.count, by: 2).map { pairs[$0] }
    for format in [PixelFormat.nv12, .nv21, .i420, .p010, .a420] {
      if effect == .transparent, format == .a420 { continue }
      let out = output(format, scene, picture, padding: 7)
      let luma = expected.bytes(plane: 0)
      if format == .p010 {
        #expect(out.bytes(plane: 0) == luma.flatMap { [0, $0] })
        #expect(out.bytes(plane: 1) == pairs.flatMap { [0, $0] })
        continue
      }
      #expect(out.bytes(plane: 0) == luma, "\(format)")
      switch format {
      case .nv12: #expect(out.bytes(plane: 1) == pairs)
      case .nv21: #expect(out.bytes(plane: 1) == zip(cr, cb).flatMap { [$0, $1] })
      default:
        #expect(out.bytes(plane: 1) == cb, "\(format)")
        #expect(out.bytes(plane: 2) == cr, "\(format)")
      }
      if format == .a420 { #expect(out.bytes(plane: 3).allSatisfy { $0 == 255 }) }
    }
    if effect != .matte {
      let gray = output(.gray8, scene, picture, padding: 3)
      let stretched = expected.bytes(plane: 0).map { luma in
        UInt8(min(max(((Double(luma) - 16) * 255 / 219).rounded(), 0), 255))
      }
      #expect(gray.bytes(plane: 0) == stretched)
    }
  }

  /// Interpolates chroma to the middle of each pixel.
  ///
  /// The formulas of the Recommendations convert the colours.
  @Test(arguments: Colorimetry.all, [EffectSettings.Effect.blur, .color])
  func packedFormatsHaveInterpolatedChroma(
    _ colorimetry: Colorimetry, _ effect: EffectSettings.Effect
  ) {
    for size in [(16, 16), (37, 25), (385, 289)] {
      let (scene, picture) = scene(size, effect, colorimetry: colorimetry)
      let wanted = inPlace(scene, picture)
      let ayuv = output(.ayuv, scene, picture, padding: 5)
      let rgba = output(.rgba, scene, picture)
      let others = [PixelFormat.bgra, .argb, .abgr].map { output($0, scene, picture, padding: 1) }
      let (kr, kb) = colorimetry.lumaWeights
      let scale = colorimetry.scale
      // Counted, because an expectation for each pixel takes longer than all else.
      var (worstChroma, worstColor, wrong) = (0.0, 0.0, 0)
      for y in 0..<size.1 {
        for x in 0..<size.0 {
          let pixel = ayuv.pixel(x, y)
          if pixel[0] != 255 || Int(pixel[1]) != wanted.luma(x, y) { wrong += 1 }
          let chroma = interpolatedChroma(wanted, x, y)
          worstChroma = max(
            worstChroma, abs(Double(pixel[2]) - chroma.x), abs(Double(pixel[3]) - chroma.y))
          let level = 255 * (Double(pixel[1]) - scale.lumaOffset) / scale.lumaSpan
          let b = 255 * (Double(pixel[2]) - 128) / scale.chromaSpan
          let r = 255 * (Double(pixel[3]) - 128) / scale.chromaSpan
          let red = level + 2 * (1 - kr) * r
          let blue = level + 2 * (1 - kb) * b
          let green = (level - kr * red - kb * blue) / (1 - kr - kb)
          let color = rgba.color(x, y)
          for (seen, exact) in zip(color, [red, green, blue]) {
            worstColor = max(worstColor, abs(Double(seen) - min(max(exact, 0), 255)))
          }
          if rgba.alpha(x, y) != 255 { wrong += 1 }
          for other in others where other.color(x, y) != color || other.alpha(x, y) != 255 {
            wrong += 1
          }
        }
      }
      #expect(wrong == 0)
      // Rounded once along the columns and once along the rows.
      #expect(worstChroma <= 1)
      #expect(worstColor <= 0.51)
    }
  }

  /// Interpolates the four samples of Cb and Cr around a pixel: the nearest has 9/16 of the weight.
  private func interpolatedChroma(_ picture: TestPicture, _ x: Int, _ y: Int) -> SIMD2<Double> {
    func chroma(_ x: Int, _ y: Int) -> SIMD2<Double> {
      let (cb, cr) = picture.chroma(
        min(max(x, 0), picture.format.width - 1), min(max(y, 0), picture.format.height - 1))
      return SIMD2(Double(cb), Double(cr))
    }
    let (otherX, otherY) = (x % 2 == 0 ? x - 2 : x + 2, y % 2 == 0 ? y - 2 : y + 2)
    let others = chroma(otherX, y) + chroma(x, otherY)
    return (9 * chroma(x, y) + 3 * others + chroma(otherX, otherY)) / 16
  }

  /// Only the noise of the edge may differ.
  @Test(
    "equals effect color when the transparent person is blended over it", arguments: sizes,
    [PixelFormat.a420, .ayuv])
  func transparentOverColor(_ size: (Int, Int), _ format: PixelFormat) {
    var (scene, picture) = scene(size, .transparent)
    // `transparent` has no background, so this must have no effect.
    scene.settings.lightWrap = 1
    let person = output(format, scene, picture)
    scene.settings.lightWrap = 0
    scene.settings.effect = .color
    let wanted = inPlace(scene, picture)
    let background = scene.format.colorimetry.codeValues(red: 0x30, green: 0x90, blue: 0xD0)
    var (worst, worstOfRim) = (0.0, 0.0)
    for y in 0..<size.1 {
      for x in 0..<size.0 {
        let alpha = Double(person.alpha(x, y)) / 255
        let luma = Double(person.samples(x, y)[0])
        let blended = alpha * luma + (1 - alpha) * Double(background.luma)
        let error = abs(blended - Double(wanted.luma(x, y)))
        if alpha == 0 || alpha == 1 { worst = max(worst, error) }
        worstOfRim = max(worstOfRim, error)
      }
    }
    #expect(worst <= 0.51)
    // Half of the noise, which is up to 12.
    #expect(worstOfRim <= 7)
  }

  /// Alpha must equal the matte, and pixels with alpha 0 must be black.
  @Test(
    "leaves nothing of the room in transparent pixels", arguments: sizes,
    [PixelFormat.a420, .ayuv, .rgba, .bgra, .argb, .abgr])
  func transparentPixels(_ size: (Int, Int), _ format: PixelFormat) {
    let (scene, picture) = scene(size, .transparent)
    let first = output(format, scene, picture)
    var masking = scene
    masking.settings.effect = .matte
    let matte = output(.gray8, masking, picture)
    let black: [UInt8] = [.a420, .ayuv].contains(format) ? [16, 128, 128] : [0, 0, 0]
    // Counted, because an expectation for each pixel takes longer than all else.
    var (transparent, seen, wrong) = (0, 0, 0)
    for y in 0..<size.1 {
      for x in 0..<size.0 {
        let alpha = first.alpha(x, y)
        if alpha != matte.byte(x, y) { wrong += 1 }
        guard alpha == 0 else {
          seen += 1
          continue
        }
        // In A420 four pixels share a sample of chroma.
        let shares =
          format == .a420
          ? [(x & ~1, y & ~1), (x | 1, y & ~1), (x & ~1, y | 1), (x | 1, y | 1)] : [(x, y)]
        let isUnseen = shares.allSatisfy { x, y in
          x >= size.0 || y >= size.1 || first.alpha(x, y) == 0
        }
        if isUnseen {
          transparent += 1
          if first.samples(x, y) != black { wrong += 1 }
        } else if first.samples(x, y)[0] != black[0] {
          wrong += 1
        }
      }
    }
    #expect(wrong == 0)
    #expect(transparent > size.0 * size.1 / 5)
    #expect(seen > size.0 * size.1 / 5)
  }

  /// Compares the edge with and without `despill`.
  @Test("removes the colour of the room from the edge of a transparent person")
  func despills() {
    var (scene, picture) = scene((640, 360), .transparent)
    // The colour changes from room to person like the matte, at both edges.
    let (room, own) = (scene.code(Scene.room).cr, scene.code(Scene.person).cr)
    for y in 0..<180 {
      for x in stride(from: 0, to: 20, by: 2) {
        let mixture = UInt8((own * x + room * (20 - x)) / 20)
        for place in [150 + x, 488 - x] { unsafe picture.frame.chroma.row(y)[place + 1] = mixture }
      }
    }
    let clean = output(.ayuv, scene, picture)
    scene.settings.despill = false
    let spilled = output(.ayuv, scene, picture)
    let person = scene.code(Scene.person)
    func meanCr(_ planes: TestPlanes) -> Double {
      var (sum, count) = (0.0, 0.0)
      for y in 100..<260 {
        for x in 0..<640 where (128..<255).contains(planes.alpha(x, y)) {
          sum += Double(planes.pixel(x, y)[3])
          count += 1
        }
      }
      #expect(count > 100)
      return sum / count
    }
    #expect(meanCr(clean) > Double(person.cr) - 30)
    #expect(meanCr(spilled) < meanCr(clean) - 5)
  }

  @Test("converts unmodified frames to any format", arguments: PixelFormat.allCases)
  func converts(_ format: PixelFormat) {
    let (scene, picture) = scene((385, 289), .color)
    let out = TestPlanes(format, format: scene.format, padding: 2)
    scene.engine.convert(picture.frame, into: out.planes)
    var sharp = scene
    // A blur of radius 0 must give the same picture.
    sharp.settings.effect = .blur
    sharp.settings.blurRadius = 0
    #expect(out.bytes == output(format, sharp, picture).bytes)
    #expect(out.paddingIsIntact)
    #expect((0..<289).allSatisfy { out.alpha(384, $0) == 255 })
    if format == .i420 {
      #expect(out.samples(5, 7)[0] == UInt8(picture.luma(5, 7)))
      #expect(Int(out.samples(5, 7)[2]) == picture.chroma(5, 7).cr)
    }
  }

  /// Compares frames of three threads with frames of one thread, including the boundaries of bands.
  ///
  /// Without a format, the frames are changed in place.
  @Test(arguments: [nil, PixelFormat.i420, .a420, .ayuv, .rgba, .gray8], effects)
  func threadsMakeTheSamePicture(_ format: PixelFormat?, _ effect: EffectSettings.Effect) {
    let (scene, picture) = scene((1601, 901), effect)
    let results = [1, 3].map { threads in
      let engine = VirtualBackgroundEngine(scene.format, FakeSegmenter(), threads: threads)
      var settings = EffectSettings.everyFrame
      settings.effect = effect
      let out = TestPlanes(format ?? .nv12, format: scene.format)
      let source = picture.copy()
      let outcome = engine.process(source, into: format == nil ? nil : out, settings: settings)
      #expect(outcome == .composed(inferred: true))
      if format == nil { out.take(source) }
      return out.bytes
    }
    #expect(results[0] == results[1])
  }

  @Test(arguments: PixelFormat.allCases, [EffectSettings.FailurePolicy.blur, .color, .hold])
  func framesWithoutAMatteAreHidden(_ format: PixelFormat, _ policy: EffectSettings.FailurePolicy) {
    var (scene, picture) = scene((385, 289), .transparent)
    scene.settings.onFailure = policy
    let good = TestPlanes(format, format: scene.format)
    scene.process(picture, into: good)
    scene.segmenter.failure = failure
    let out = TestPlanes(format, format: scene.format, padding: 9)
    #expect(scene.process(picture, into: out) == .hidden(failure))
    #expect(out.paddingIsIntact)
    if policy == .hold {
      #expect(out.bytes == good.bytes)
    } else {
      #expect(out.alpha(0, 0) == 255 && out.alpha(384, 288) == 255)
      if policy == .color { #expect(out.samples(0, 0) == out.samples(200, 100)) }
      // The noise of the room is blurred.
      let row = (1..<385).map {
        abs(Int(out.samples($0, 200)[0]) - Int(out.samples($0 - 1, 200)[0]))
      }
      #expect(row.max() ?? 0 <= 10)
    }
    // A held frame is not shown in another format.
    let other = TestPlanes(format == .rgba ? .ayuv : .rgba, format: scene.format)
    scene.process(picture, into: other)
    #expect(other.alpha(0, 0) == 255)
  }

  @Test(.enabled(if: allocation_counter_works()), arguments: PixelFormat.allCases, effects)
  func aPictureInSteadyStateAllocatesNothing(
    _ format: PixelFormat, _ effect: EffectSettings.Effect
  ) {
    var (scene, picture) = scene((640, 360), effect)
    scene.settings.onFailure = .hold
    let (made, out) = (scene, TestPlanes(format, format: scene.format))
    let count = allocations {
      made.process(picture, into: out)
      made.engine.convert(picture.frame, into: out.planes)
    }
    #expect(count == 0)
  }
}
