import Matting
import PixelTypes
import TestSupport
import Testing

@testable import PersonSelection
@testable import VirtualBackground

/// The state of a stream that is kept when its networks change.
@Suite struct NetworkExchangeTests {
  private static let format = FrameFormat(width: 320, height: 180)

  private let engine = VirtualBackgroundEngine()

  init() {
    engine.configure(for: Self.format)
    useNetwork(width: 160, height: 90)
  }

  private func useNetwork(width: Int, height: Int) {
    engine.use(Segmenters(wholeFrame: FakeSegmenter(width: width, height: height)))
  }

  /// Returns which of the people, given by their columns, are visible.
  private func shown(_ people: [Range<Int>], keep: MatteSettings.Keep) -> [Bool] {
    var settings = EffectSettings.everyFrame
    settings.effect = .color
    settings.backgroundColor = 0xff00_0000
    settings.matte.smoothing = 0
    settings.matte.keep = keep
    let picture = TestPicture(format: Self.format, Scene.room)
    picture.paint(Scene.person) { x, y in y > 60 && people.contains { $0.contains(x) } }
    #expect(engine.process(picture, settings: settings) == .composed(inferred: true))
    return people.map { picture.luma(($0.lowerBound + $0.upperBound) / 2, 120) > 30 }
  }

  /// The other person is larger, so a new network would select them.
  @Test(
    "keeps the tracked person when the network changes",
    arguments: [(160, 90), (64, 36), (320, 180)])
  func trackedPerson(_ width: Int, _ height: Int) {
    for _ in 0..<10 { #expect(shown([40..<80], keep: .tracked) == [true]) }
    for _ in 0..<10 { #expect(shown([40..<80, 180..<300], keep: .tracked) == [true, false]) }
    useNetwork(width: width, height: height)
    for _ in 0..<10 { #expect(shown([40..<80, 180..<300], keep: .tracked) == [true, false]) }
  }

  /// Only their faces distinguish two people who touch.
  @Test(
    "keeps the person with the tracked face when the network changes",
    arguments: [(160, 90), (64, 36), (320, 180)])
  func trackedFace(_ width: Int, _ height: Int) {
    let faces = FixedFaces()
    engine.use(faces)
    faces.faces = [Face(x: 60, y: 80, width: 30)]
    for _ in 0..<10 { #expect(shown([40..<80], keep: .tracked) == [true]) }
    // The larger face is found first.
    faces.faces.insert(Face(x: 190, y: 80, width: 40), at: 0)
    for _ in 0..<10 { #expect(shown([40..<120, 120..<240], keep: .tracked) == [true, false]) }
    useNetwork(width: width, height: height)
    for _ in 0..<10 { #expect(shown([40..<120, 120..<240], keep: .tracked) == [true, false]) }
    #expect(faces.timesForgotten == 0)
    // `keep` changes to everyone before the new network has made a matte.
    useNetwork(width: width, height: height)
    _ = shown([40..<120, 120..<240], keep: .everyone)
    #expect(faces.timesForgotten == 1)
  }

  @Test("forgets the tracked person when the format is configured again")
  func newFormat() {
    for _ in 0..<10 { #expect(shown([40..<80], keep: .tracked) == [true]) }
    engine.configure(for: Self.format)
    #expect(shown([40..<80, 180..<300], keep: .tracked) == [false, true])
  }
}

final class FixedFaces: FaceFinder {
  var faces: [Face] = []
  private(set) var timesForgotten = 0

  func find(
    in frame: Frame, format: FrameFormat, at time: UInt64, isShown: (Double, Double) -> Bool
  ) -> [Face] {
    faces
  }

  func reset() { timesForgotten += 1 }
}
