import Matting
import PixelTypes
import TestSupport
import Testing

@testable import VirtualBackground

@Suite struct LowResolutionRecoveryTests {
  private let close: RecordingSegmenter
  private let coarse: RecordingSegmenter
  private let engine: VirtualBackgroundEngine
  private let format = FrameFormat(width: 1280, height: 720)

  init() {
    /// A network with a memory that takes pixels redder than `least` for a person.
    func network(_ width: Int, _ least: Float) -> RecordingSegmenter {
      RecordingSegmenter(
        FakeSegmenter(width: width, height: width * 3 / 4, edge: .exact) { red, green, _, _, _ in
          red - green > least ? 1 : 0
        }, remembersPast: true)
    }
    (close, coarse) = (network(96, 0.5), network(48, 0.2))
    let peopleFinder = FakeSegmenter(width: 64, height: 36) { red, green, _, _, _ in
      red - green > 0.2 ? 1 : 0
    }
    engine = VirtualBackgroundEngine(
      format, Segmenters(close, close: close, peopleFinder: peopleFinder, coarse: coarse))
  }

  /// The matte of a person in a red shirt.
  ///
  /// The crop's network misses the columns of `lost`, which have a paler red.
  private func matte(
    of person: PixelRegion = PixelRegion(x: 480, y: 200, width: 280, height: 500),
    losing lost: Range<Int> = 0..<0
  ) -> TestPicture {
    let picture = TestPicture(format: format, Scene.room)
    picture.paint((220, 30, 40), in: person)
    picture.paint((220, 130, 40)) { x, y in lost ~= x && person.y..<person.endY ~= y }
    engine.process(picture, settings: .matteOfEachFrame)
    return picture
  }

  @Test("restores a part that the first crop misses")
  func firstCrop() {
    // The crop of the part that it finds ends at column 916.
    let picture = matte(
      of: PixelRegion(x: 300, y: 420, width: 700, height: 300), losing: 860..<1000)
    #expect(picture.luma(560, 600) > 230 && picture.luma(960, 600) > 230)
    #expect(picture.luma(260, 600) < 20 && picture.luma(1040, 600) < 20)
    // The network forgets the part that the full frame adds to the crop of the first matte.
    #expect(close.moves.contains { $0.from != $0.to && $0.from.union($0.to) == $0.to })
  }

  @Test("restores a lost part by a low-resolution pass of the same crop")
  func sameCrop() {
    for _ in 0..<3 {
      let picture = matte(losing: 680..<760)
      #expect(picture.luma(560, 450) > 230 && picture.luma(720, 450) > 230)
      #expect(picture.luma(460, 450) < 20 && picture.luma(780, 450) < 20)
    }
    #expect(coarse.fake.inferences >= 3)
    #expect(coarse.moves.map(\.to) == close.moves.map(\.to) && !coarse.moves.isEmpty)

    let forgotten = coarse.fake.timesForgotten
    engine.reset()
    #expect(coarse.fake.timesForgotten == forgotten + 1)
    _ = matte()
    let before = (close.fake.inferences, coarse.fake.inferences)
    for _ in 0..<10 { _ = matte() }
    #expect(close.fake.inferences == before.0 + 10)
    #expect(coarse.fake.inferences == before.1)
  }
}
