import InferenceTypes
import PixelTypes
import Processor
import TestSupport
import Testing

@testable import PersonSelection
@testable import VirtualBackground

/// What is still known of a stream after its networks were exchanged.
@Suite struct NetworkExchangeTests {
  private static let format = FrameFormat(
    width: 320, height: 180, colorimetry: Colorimetry(matrix: .bt709, range: .limited))

  private let engine = VirtualBackgroundEngine(kernels: InstructionSet.current.kernels)

  init() {
    engine.configure(for: Self.format)
    useNetwork(width: 160, height: 90)
  }

  private func useNetwork(width: Int, height: Int) {
    engine.use(
      Segmenters(
        wholeFrame: FakeSegmenter(
          format: TensorFormat(width: width, height: height, layout: .planar, fit: .stretch))))
  }

  /// Which of the columns of people are shown, before a black background.
  private func shown(_ people: [Range<Int>], keep: EffectSettings.Keep) -> [Bool] {
    var settings = EffectSettings()
    settings.effect = .color
    settings.backgroundColor = 0xff00_0000
    settings.smoothing = 0
    settings.keep = keep
    let picture = TestPicture(format: Self.format)
    picture.paint(red: 20, green: 60, blue: 220)
    picture.paint(red: 200, green: 30, blue: 40) { x, y in
      y > 60 && people.contains { $0.contains(x) }
    }
    #expect(engine.process(picture.frame, settings: settings) == .composed(inferred: true))
    return people.map { picture.luma(($0.lowerBound + $0.upperBound) / 2, 120) > 30 }
  }

  /// The other one is larger, and would be the first that a network finds.
  @Test(arguments: [(160, 90), (64, 36), (320, 180)])
  func theTrackedPersonStays(_ width: Int, _ height: Int) {
    for _ in 0..<10 { #expect(shown([40..<80], keep: .tracked) == [true]) }
    for _ in 0..<10 { #expect(shown([40..<80, 180..<300], keep: .tracked) == [true, false]) }
    useNetwork(width: width, height: height)
    for _ in 0..<10 { #expect(shown([40..<80, 180..<300], keep: .tracked) == [true, false]) }
  }

  /// Two people who touch are known by their faces alone.
  @Test(arguments: [(160, 90), (64, 36), (320, 180)])
  func thePersonWithTheTrackedFaceStays(_ width: Int, _ height: Int) {
    let faces = FixedFaces()
    engine.use(faces)
    faces.faces = [SeenFace(id: 7, x: 60, y: 80, width: 30)]
    for _ in 0..<10 { #expect(shown([40..<80], keep: .tracked) == [true]) }
    // Found first, for it is the larger one.
    faces.faces.insert(SeenFace(id: 8, x: 190, y: 80, width: 40), at: 0)
    for _ in 0..<10 { #expect(shown([40..<120, 120..<240], keep: .tracked) == [true, false]) }
    useNetwork(width: width, height: height)
    for _ in 0..<10 { #expect(shown([40..<120, 120..<240], keep: .tracked) == [true, false]) }
    #expect(faces.timesForgotten == 0)
    // Everyone is wanted before the next network has divided a matte.
    useNetwork(width: width, height: height)
    _ = shown([40..<120, 120..<240], keep: .everyone)
    #expect(faces.timesForgotten == 1)
  }

  @Test func framesOfAnotherFormatAreAnotherScene() {
    for _ in 0..<10 { #expect(shown([40..<80], keep: .tracked) == [true]) }
    engine.configure(for: Self.format)
    #expect(shown([40..<80, 180..<300], keep: .tracked) == [false, true])
  }
}

/// Faces that a test names.
final class FixedFaces: FaceFinder {
  var faces: [SeenFace] = []
  private(set) var timesForgotten = 0

  func find(
    in frame: Frame, format: FrameFormat, at time: UInt64, isShown: (Double, Double) -> Bool
  ) -> [SeenFace] {
    faces
  }

  func reset() { timesForgotten += 1 }
}
