import PixelTypes
import TestSupport

@testable import Compositing
@testable import Matting
@testable import PersonSelection
@testable import VirtualBackground

/// Runs frames of a `GoldenScene` through an engine and records a hash of each one that leaves it.
final class GoldenRun {
  var scene: GoldenScene {
    didSet {
      guard scene.format != oldValue.format else { return }
      engine.configure(for: scene.format)
      plate = Self.makePlate(scene.format)
    }
  }
  var settings = EffectSettings.everyFrame
  /// The format of the output, or `nil` to change the frame itself.
  var output: PixelFormat?
  let engine: VirtualBackgroundEngine
  /// One word for each frame: a hash, or the outcome of a frame that does not go out.
  private(set) var hashes: [String] = []

  private let faces = ScriptedFaces()
  private var plate: Plate? { didSet { engine.use(plate) } }

  /// Makes an engine that does not take turns with the engines of other tests.
  init(_ segmenters: Segmenters?) {
    let format = FrameFormat(width: 320, height: 180)
    scene = GoldenScene(format: format)
    engine = VirtualBackgroundEngine(runningInferences: RunningInferences())
    engine.configure(for: format)
    engine.use(segmenters)
    engine.use(faces)
    plate = Self.makePlate(format)
    engine.use(plate)
  }

  /// Processes the next frame, 1/30 s after the one before.
  func show(
    _ people: [GoldenScene.Person], _ objects: [GoldenScene.Object] = [], light: Double = 1,
    noise: Int = 2, infers: Bool = true, mask: Raster<UInt8>? = nil
  ) {
    let number = UInt64(hashes.count)
    let picture = scene.frame(people, objects, light: light, noise: noise, seed: number)
    let target = output.map { TestPlanes($0, format: scene.format, padding: 5) }
    faces.all = scene.faces(people)
    let mask = mask.flatMap {
      PersonMask(
        samples: $0.plane, alphas: alphas, region: PixelRegion(wholeOf: scene.format),
        in: scene.format)
    }
    let outcome = engine.process(
      picture, into: target, settings: settings, at: number * 33_333_333, infers: infers,
      mask: mask)
    switch outcome {
    case .composed, .hidden:
      var hash = Hash()
      hash.add(target?.planes ?? PicturePlanes(picture.frame))
      hashes.append(String(hash.value, radix: 36))
    case .dropped: hashes.append("dropped")
    case .failed: hashes.append("failed")
    }
  }

  private let alphas = Raster<UInt8>(width: 256, height: 1) { x, _ in UInt8(x) }

  private static func makePlate(_ format: FrameFormat) -> Plate {
    Plate(format: format) { frame in
      frame.luma.change { x, y, _ in UInt8((x ^ y) & 127) + 60 }
      frame.chroma.change { x, y, _ in UInt8(100 + (x + 2 * y) % 60) }
    }
  }
}

/// Finds the faces that the script names.
private final class ScriptedFaces: FaceFinder {
  var all: [Face] = []

  func find(
    in frame: Frame, format: FrameFormat, at time: UInt64, isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) -> [Face] { all }

  func reset() {}
}

/// FNV-1a over the samples of pictures.
private struct Hash {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ picture: PicturePlanes) {
    for number in 0..<picture.format.planeCount {
      let plane = picture[number]
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          value = (value ^ UInt64(unsafe plane.row(y)[x])) &* 0x100_0000_01b3
        }
      }
    }
  }
}
