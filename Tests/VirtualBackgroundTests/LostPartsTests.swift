import InferenceTypes
import PixelTypes
import Processor
import TestSupport
import Testing

@testable import Matting
@testable import VirtualBackground

@Suite struct LostPartsTests {
  private let grid = MatteGrid(
    format: FrameFormat(
      width: 160, height: 100, colorimetry: Colorimetry(matrix: .bt709, range: .limited)), shift: 0)
  private let view = PixelRegion(x: 0, y: 0, width: 160, height: 100)

  private let close: RecordingSegmenter
  private let coarse: RecordingSegmenter
  private let engine = VirtualBackgroundEngine(kernels: InstructionSet.current.kernels)
  private let format = FrameFormat(
    width: 1280, height: 720, colorimetry: Colorimetry(matrix: .bt709, range: .limited))

  init() {
    /// A network with a memory whose person is what is redder than so much.
    func network(_ width: Int, _ least: Float) -> RecordingSegmenter {
      RecordingSegmenter(
        FakeSegmenter(
          format: TensorFormat(width: width, height: width * 3 / 4, layout: .planar, fit: .stretch),
          edge: .exact, alpha: { red, green, _, _, _ in red - green > least ? 1 : 0 }),
        remembersPast: true)
    }
    (close, coarse) = (network(96, 0.5), network(48, 0.2))
    let overview = FakeSegmenter(
      format: TensorFormat(width: 64, height: 36, layout: .planar, fit: .stretch),
      alpha: { red, green, _, _, _ in red - green > 0.2 ? 1 : 0 })
    engine.configure(for: format)
    engine.use(
      Segmenters(
        wholeFrame: close,
        closeUp: Segmenters.CloseUp(
          segmenter: close, overview: overview, coarse: coarse,
          framing: Framing(margin: 0.1, greatestShare: 0.9))))
  }

  private func paint(_ matte: Raster<UInt8>, _ columns: Range<Int>, _ alpha: UInt8) {
    for y in 20..<80 {
      for x in columns { unsafe matte.row(y)[x] = alpha }
    }
  }

  /// The middle row after `lostParts` restored a matte of `fine` columns from one of `coarse` columns.
  private func row(
    _ lostParts: LostParts, fine: Range<Int>, coarse: Range<Int>
  ) -> [UInt8] {
    let matte = Raster<UInt8>(width: 160, height: 100, filledWith: 0)
    paint(matte, fine, 255)
    lostParts.matte.fill(with: 0)
    paint(lostParts.matte, coarse, 250)
    _ = lostParts.restore(to: matte, of: view)
    return (0..<160).map { unsafe matte.row(50)[$0] }
  }

  private func lostParts() -> LostParts {
    LostParts(grid: grid, kernels: InstructionSet.current.kernels)
  }

  @Test func aLostPartComesBackWithItsEdge() {
    let row = row(lostParts(), fine: 40..<100, coarse: 40..<115)
    #expect(row[40..<100].allSatisfy { $0 == 255 } && row[100..<115].allSatisfy { $0 == 250 })
    #expect(row[..<40].allSatisfy { $0 == 0 } && row[115...].allSatisfy { $0 == 0 })
  }

  @Test func theEdgeIsTheFineMattes() {
    // Five samples, a twentieth of the view, are not deep.
    let row = row(lostParts(), fine: 40..<100, coarse: 36..<105)
    #expect(row[40..<100].allSatisfy { $0 == 255 })
    #expect(row[..<40].allSatisfy { $0 == 0 } && row[100...].allSatisfy { $0 == 0 })
  }

  /// The middle row after a matte that shows columns of `fine` was restored from one of `coarse`.
  private func row(fine: [Range<Int>], coarse: [Range<Int>], alpha: UInt8 = 250) -> [UInt8] {
    let lostParts = lostParts()
    let matte = Raster<UInt8>(width: 160, height: 100, filledWith: 0)
    for columns in fine { paint(matte, columns, 255) }
    for columns in coarse { paint(lostParts.matte, columns, alpha) }
    let isRestored = lostParts.restore(to: matte, of: view)
    let row = (0..<160).map { unsafe matte.row(50)[$0] }
    lostParts.advance(by: 1)
    #expect(isRestored == lostParts.isDue)
    return row
  }

  @Test func whatLiesBetweenTwoPartsIsRoom() {
    #expect(row(fine: [30..<60, 76..<110], coarse: [30..<110])[60..<76].allSatisfy { $0 == 0 })
    // Nor does a lost part grow into it.
    let row = row(fine: [40..<88, 94..<100], coarse: [40..<115])
    #expect(row[88..<94].allSatisfy { $0 == 0 } && row[100..<115].allSatisfy { $0 == 250 })
  }

  @Test func whatIsApartIsNotLost() {
    let row = row(fine: [40..<70], coarse: [40..<70, 130..<146])
    #expect(row[70...].allSatisfy { $0 == 0 })
  }

  @Test func whatTheCoarserNetworkDoubtsIsNotLost() {
    let row = row(fine: [40..<100], coarse: [40..<115], alpha: 180)
    #expect(row[100...].allSatisfy { $0 == 0 })
  }

  @Test func whatIsTooMuchIsSomebodyElse() {
    #expect(row(lostParts(), fine: 40..<60, coarse: 40..<110)[60...].allSatisfy { $0 == 0 })
    #expect(row(lostParts(), fine: 0..<0, coarse: 40..<110).allSatisfy { $0 == 0 })
  }

  @Test func whatIsLostIsLookedForInEachFrame() {
    let second = MatteClock.ticks(seconds: 1)
    let lostParts = lostParts()
    #expect(lostParts.isDue)
    _ = row(lostParts, fine: 40..<100, coarse: 40..<100)
    #expect(!lostParts.isDue)
    lostParts.advance(by: second / 2)
    #expect(!lostParts.isDue)
    lostParts.advance(by: second)
    #expect(lostParts.isDue)
    _ = row(lostParts, fine: 40..<100, coarse: 40..<115)
    lostParts.advance(by: 1)
    #expect(lostParts.isDue)
    // Less of it would not have been enough at first.
    #expect(row(self.lostParts(), fine: 20..<120, coarse: 20..<126)[122] == 0)
    #expect(row(lostParts, fine: 20..<120, coarse: 20..<126)[122] == 250)
    for _ in 0..<9 {
      _ = row(lostParts, fine: 40..<100, coarse: 40..<100)
      lostParts.advance(by: second / 4)
    }
    _ = row(lostParts, fine: 40..<100, coarse: 40..<100)
    #expect(!lostParts.isDue)
    lostParts.reset()
    #expect(lostParts.isDue)
  }

  /// The matte of somebody in a red shirt; the close-up's network loses the columns of `lost`, which
  /// are of a paler red.
  private func matte(
    of person: PixelRegion = PixelRegion(x: 480, y: 200, width: 280, height: 500),
    losing lost: Range<Int> = 0..<0
  ) -> TestPicture {
    let picture = TestPicture(format: format, padding: 0)
    picture.paint(red: 20, green: 60, blue: 220)
    picture.paint(red: 220, green: 30, blue: 40) { x, y in
      person.x..<person.endX ~= x && person.y..<person.endY ~= y
    }
    picture.paint(red: 220, green: 130, blue: 40) { x, y in
      lost ~= x && person.y..<person.endY ~= y
    }
    var settings = EffectSettings()
    settings.effect = .matte
    settings.smoothing = 0
    withExtendedLifetime(picture) { _ = engine.process(picture.frame, settings: settings) }
    return picture
  }

  @Test func theFirstViewShowsWhatTheCloseUpLoses() {
    // The view of what it finds ends at column 916.
    let picture = matte(
      of: PixelRegion(x: 300, y: 420, width: 700, height: 300), losing: 860..<1000)
    #expect(picture.luma(560, 600) > 230 && picture.luma(960, 600) > 230)
    #expect(picture.luma(260, 600) < 20 && picture.luma(1040, 600) < 20)
  }

  @Test func theCoarserNetworkSeesWhatTheCloseUpDoes() {
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
