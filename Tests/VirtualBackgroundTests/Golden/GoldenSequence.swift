import Matting
import PixelTypes
import Processor

@testable import VirtualBackground

/// A scripted stream of frames.
///
/// Together the sequences cover each effect, `keep`, quality, `inference`, pace, output format and
/// failure policy. They contain cuts, format changes, and two people that meet, cross and part.
enum GoldenSequence: String, CaseIterable {
  case fast, balanced, accurate, nearest, tracked, newcomer, pace, formats

  /// Runs the sequence with the kernels of `set`, and returns a hash for each frame.
  func run(_ set: InstructionSet) -> [String] {
    set.run {
      switch self {
      case .fast: Self.fast()
      case .balanced: Self.balanced()
      case .accurate: Self.accurate()
      case .nearest: Self.meeting(keep: .nearest)
      case .tracked: Self.meeting(keep: .tracked)
      case .newcomer: Self.newcomer()
      case .pace: Self.pace()
      case .formats: Self.formats()
      }
    }
  }

  private typealias Person = GoldenScene.Person

  private static func makeFast() -> Segmenters {
    Segmenters(
      GoldenNetwork.landscape(), close: GoldenNetwork.square(), margin: 0.04, maxShare: 0.6)
  }

  private static func makeBalanced() -> Segmenters {
    let matting = GoldenNetwork.matting(height: 72)
    return Segmenters(
      matting, close: matting, peopleFinder: GoldenNetwork.landscape(), margin: 0.12)
  }

  private static func makeAccurate() -> Segmenters {
    let matting = GoldenNetwork.matting(height: 126, losesYellow: true)
    return Segmenters(
      matting, close: matting, peopleFinder: GoldenNetwork.landscape(),
      coarse: GoldenNetwork.matting(height: 72), margin: 0.12)
  }

  /// Someone far away and then near, each effect, and an object that one network takes for a
  /// person.
  private static func fast() -> [String] {
    let run = GoldenRun(makeFast())
    let effects: [EffectSettings.Effect] = [.blur, .replace, .color, .transparent, .matte]
    for number in 0..<50 {
      run.settings.effect = effects[number / 10]
      run.output = run.settings.effect == .transparent ? .rgba : nil
      run.show(
        [Person(x: 0.4 + 0.004 * Double(number), height: 0.4 + 0.01 * Double(number))],
        number % 20 < 8 ? [] : [GoldenScene.Object(x: 0.85, y: 0.3)])
    }
    return run.hashes
  }

  /// A person stands, walks and is gone after a cut, before two people appear.
  private static func balanced() -> [String] {
    let run = GoldenRun(makeBalanced())
    run.settings.inference = .whenNeeded
    for number in 0..<24 {
      run.show([Person(x: 0.3 + 0.01 * Double(max(number - 12, 0)))])
    }
    run.scene = GoldenScene(format: run.scene.format, seed: 2)
    for _ in 0..<6 { run.show([]) }
    run.settings.effect = .replace
    for _ in 0..<30 {
      run.show([Person(x: 0.25, height: 0.6), Person(id: 2, x: 0.75, height: 0.6)])
    }
    return run.hashes
  }

  /// A person with clothes that the large input misses, and every treatment of the edge.
  private static func accurate() -> [String] {
    let run = GoldenRun(makeAccurate())
    run.settings.effect = .replace
    for number in 0..<40 {
      run.settings.lightWrap = number < 10 ? 0 : 0.6
      run.settings.despill = number < 20 || number >= 30
      run.settings.matte.grow = number < 15 ? 0 : 3
      run.settings.matte.feather = number < 25 ? 0 : -6
      run.settings.matte.smoothing = number < 30 ? 0.5 : 0
      run.show([Person(id: 2, x: 0.5, height: number < 12 ? 0.3 : 0.85)])
    }
    return run.hashes
  }

  /// Two people meet, cross and part while one of them turns away and `keep` changes.
  private static func meeting(keep: MatteSettings.Keep) -> [String] {
    let run = GoldenRun(makeFast())
    run.settings.effect = .color
    run.settings.matte.keep = keep
    for number in 0..<90 {
      if number == 75 { run.settings.matte.keep = .everyone }
      if number == 82 { run.settings.matte.keep = .nearest }
      let moved = 0.007 * Double(min(number, 70))
      run.show([
        Person(id: 2, x: 0.25 + moved, height: 0.7, hasFace: !(36..<42 ~= number)),
        Person(id: 1, x: 0.75 - moved, height: 0.9),
      ])
    }
    return run.hashes
  }

  /// A newcomer enters at the side, touches the person, and passes behind before a cut.
  private static func newcomer() -> [String] {
    let run = GoldenRun(makeBalanced())
    run.settings.matte.keep = .nearest
    run.settings.inference = .whenNeeded
    run.settings.effect = .replace
    for number in 0..<70 {
      let x = 1.2 - 0.012 * Double(max(number - 20, 0))
      run.show([
        Person(id: 2, x: x, height: 0.75, hasFace: number >= 45),
        Person(id: 1, x: 0.4, height: 0.9),
      ])
    }
    run.scene = GoldenScene(format: run.scene.format, seed: 3)
    for _ in 0..<15 {
      run.show([Person(id: 3, x: 0.3, height: 0.7), Person(id: 4, x: 0.75, height: 0.8)])
    }
    return run.hashes
  }

  /// Few inferences, a still scene, a dark one, and networks that fail.
  private static func pace() -> [String] {
    let network = GoldenNetwork.matting(height: 72)
    let run = GoldenRun(Segmenters(wholeFrame: network))
    for number in 0..<20 {
      run.show([Person(x: 0.4 + 0.002 * Double(number))], infers: number % 5 == 0)
    }
    run.settings.inference = .whenNeeded
    for _ in 0..<30 { run.show([Person(x: 0.44)], noise: 0) }
    run.settings.inference = .everyFrame
    for _ in 0..<6 { run.show([Person(x: 0.44)], light: 0.25, noise: 6) }
    for policy: EffectSettings.FailurePolicy in [.hold, .blur, .color, .drop, .error] {
      run.settings.onFailure = policy
      for isBroken in [false, false, true, true, false] {
        network.failure = isBroken ? SegmentationError(.inferenceFailed, "broken") : nil
        run.show([Person(x: 0.5)])
      }
    }
    return run.hashes
  }

  /// Each output format, an odd size, turned frames, and masks from upstream.
  private static func formats() -> [String] {
    let run = GoldenRun(makeFast())
    let person = Person(x: 0.5)
    for (width, height) in [(320, 180), (333, 187)] {
      run.scene = GoldenScene(
        format: FrameFormat(
          width: width, height: height,
          colorimetry: Colorimetry(matrix: .bt601, range: width == 333 ? .full : .limited)))
      for effect: EffectSettings.Effect in [.blur, .transparent, .replace] {
        run.settings.effect = effect
        for format in PixelFormat.allCases {
          run.output = format
          run.show([person])
        }
      }
    }
    run.output = nil
    for orientation: ImageOrientation in [
      ImageOrientation(true, false, true), ImageOrientation(false, true, true),
    ] {
      var format = run.scene.format
      format.orientation = orientation
      run.scene = GoldenScene(format: format)
      for _ in 0..<4 { run.show([person]) }
    }
    let mask = Raster<UInt8>(width: 40, height: 30) { 12..<28 ~= $0 && 10..<30 ~= $1 ? 255 : 0 }
    run.engine.use(nil as Segmenters?)
    for number in 0..<8 { run.show([person], mask: number < 5 ? mask : nil) }
    return run.hashes
  }
}
