import InferenceTypes
import PixelTypes
import Processor
import TestSupport
import Testing

@testable import Matting
@testable import VirtualBackground

@Suite struct AgreementTests {
  private let format = FrameFormat(
    width: 1280, height: 720, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
  private let whole = FakeSegmenter(
    format: TensorFormat(width: 64, height: 36, layout: .planar, fit: .stretch))
  private let close = FakeSegmenter(
    format: TensorFormat(width: 48, height: 48, layout: .planar, fit: .stretch))

  // MARK: - Two mattes

  private func paint(_ matte: Raster<UInt8>, _ columns: Range<Int>, _ alpha: UInt8) {
    for y in 20..<80 {
      for x in columns { unsafe matte.row(y)[x] = alpha }
    }
  }

  /// The middle row after a matte of `first` columns was limited to one of `second` columns, with the
  /// alpha of the `others` of the first.
  private func row(
    _ agreement: Agreement, _ first: Range<Int>, _ second: Range<Int>, others: UInt8 = 0
  ) -> [UInt8] {
    let matte = Raster<UInt8>(width: 160, height: 100, filledWith: 0)
    paint(matte, first, 255)
    agreement.matte.fill(with: 0)
    paint(agreement.matte, first, others)
    paint(agreement.matte, second, 255)
    agreement.limit(matte)
    return (0..<160).map { unsafe matte.row(50)[$0] }
  }

  private func agreement() -> Agreement {
    let small = FrameFormat(width: 160, height: 100, colorimetry: format.colorimetry)
    return Agreement(
      grid: MatteGrid(format: small, shift: 0), kernels: InstructionSet.current.kernels)
  }

  @Test func whatOneNetworkSeesIsRoom() {
    let row = row(agreement(), 20..<120, 20..<90)
    #expect(row[20..<90].allSatisfy { $0 == 255 })
    #expect(row[..<20].allSatisfy { $0 == 0 } && row[90...].allSatisfy { $0 == 0 })
  }

  @Test func whatOnlyTheSecondNetworkSeesIsRoomToo() {
    let row = row(agreement(), 20..<90, 20..<120)
    #expect(row[20..<90].allSatisfy { $0 == 255 } && row[90...].allSatisfy { $0 == 0 })
  }

  @Test func aDifferenceAtTheEdgeChangesNothing() {
    let agreement = agreement()
    // A column of a block of four; alphas that differ by less than a quarter; and a block's half that is
    // less than a hundredth of the matte.
    #expect(row(agreement, 20..<120, 20..<119)[119] == 255)
    #expect(row(agreement, 20..<120, 20..<80, others: 200)[100] == 255)
    #expect(row(agreement, 0..<160, 0..<158, others: 100)[159] == 255)
    agreement.advance(by: 1)
    #expect(!agreement.isDue)
  }

  @Test func aContradictionIsLookedForInEachFrame() {
    let agreement = agreement()
    #expect(agreement.isDue)
    #expect(row(agreement, 10..<150, 10..<140)[145] == 0)
    agreement.advance(by: 1)
    #expect(agreement.isDue)
    // So little would not have been enough at first.
    #expect(row(agreement, 0..<160, 0..<158, others: 100)[159] == 100)
    agreement.reset()
    #expect(row(agreement, 0..<160, 0..<158, others: 100)[159] == 255)
    agreement.advance(by: 1)
    #expect(!agreement.isDue)
  }

  @Test func allPeopleOfAFrameAreLookedAt() {
    let agreement = agreement()
    agreement.advance(by: 1)
    #expect(row(agreement, 10..<150, 10..<150)[149] == 255)
    #expect(agreement.isDue)
    #expect(row(agreement, 10..<150, 10..<140)[145] == 0)
    for _ in 0..<4 {
      agreement.advance(by: MatteClock.ticks(seconds: 0.4))
      #expect(agreement.isDue)
    }
  }

  @Test func twoEmptyMattesAgree() {
    let agreement = agreement()
    #expect(row(agreement, 0..<0, 0..<0).allSatisfy { $0 == 0 })
    agreement.advance(by: 1)
    #expect(!agreement.isDue)
  }

  @Test func aSecondNetworkThatSeesHardlyAnybodyChangesNothing() {
    #expect(row(agreement(), 20..<120, 20..<28)[20..<120].allSatisfy { $0 == 255 })
    #expect(row(agreement(), 20..<120, 0..<0)[20..<120].allSatisfy { $0 == 255 })
  }

  // MARK: - In a stream

  private func engine(
    of close: FakeSegmenter? = nil, greatestShare: Double, steps: MatteSteps = .all
  ) -> VirtualBackgroundEngine {
    let engine = VirtualBackgroundEngine(kernels: InstructionSet.current.kernels, steps: steps)
    engine.configure(for: format)
    engine.use(
      Segmenters(
        wholeFrame: whole,
        closeUp: Segmenters.CloseUp(
          segmenter: close ?? self.close, overview: whole,
          framing: Framing(margin: 0.1, greatestShare: greatestShare))))
    return engine
  }

  /// Somebody in red, who fills most of the height, and a green door beside them, in a light or a dark
  /// room, as it is shown.
  private func shown(
    by engine: VirtualBackgroundEngine, light: Double = 1, hasDoor: Bool = true
  ) -> TestPicture {
    func dimmed(_ value: Double) -> UInt8 { UInt8(value * light) }
    let picture = TestPicture(format: format, padding: 0)
    picture.paint(red: dimmed(20), green: dimmed(60), blue: dimmed(220))
    picture.paint(red: dimmed(240), green: dimmed(30), blue: dimmed(40)) { x, y in
      400..<800 ~= x && y >= 120
    }
    if hasDoor {
      picture.paint(red: dimmed(30), green: dimmed(240), blue: dimmed(40)) { x, y in
        800..<900 ~= x && y >= 200
      }
    }
    process(engine, picture)
    return picture
  }

  private func process(_ engine: VirtualBackgroundEngine, _ picture: TestPicture) {
    var settings = EffectSettings()
    settings.effect = .matte
    settings.smoothing = 0
    _ = withExtendedLifetime(picture) { engine.process(picture.frame, settings: settings) }
  }

  private static let redOrGreen: FakeSegmenter.Alpha = { red, green, blue, _, _ in
    max(red, green) - blue > 0.3 ? 1 : 0
  }

  @Test func aDoorThatOneNetworkTakesForAPersonIsRoomFromTheFirstFrameOn() {
    whole.alpha = Self.redOrGreen
    let engine = engine(greatestShare: 0.1)
    for _ in 0..<3 {
      let picture = shown(by: engine)
      #expect(picture.luma(600, 450) > 230 && picture.luma(850, 500) < 20)
    }
    #expect(close.inferences >= 3)
  }

  @Test func afterACutTheNetworksAreComparedAtOnce() {
    let engine = engine(greatestShare: 0.1)
    for _ in 0..<3 { _ = shown(by: engine, hasDoor: false) }
    let inferences = close.inferences
    engine.reset()
    _ = shown(by: engine, hasDoor: false)
    #expect(close.inferences == inferences + 1)
  }

  @Test func whoIsSeenByOneNetworkAloneIsShownSteadily() {
    close.alpha = { _, _, _, _, _ in 0 }
    let engine = engine(greatestShare: 0.1)
    for _ in 0..<40 { #expect(shown(by: engine, hasDoor: false).luma(600, 450) > 230) }
  }

  @Test func oneNetworkForBothIsNotAskedTwice() {
    // The overview, the close-up that finds the view, and the close-up.
    _ = shown(by: engine(of: whole, greatestShare: 1), light: 0.2)
    #expect(whole.inferences == 3)
  }

  @Test func theStepCanBeLeftOut() {
    whole.alpha = Self.redOrGreen
    let engine = engine(greatestShare: 0.1, steps: MatteSteps.all.subtracting(.agreement))
    #expect(shown(by: engine).luma(850, 500) > 230)
  }

  @Test func networksThatAgreeAreNotBothRunInEachFrame() {
    let engine = engine(greatestShare: 0.1)
    _ = shown(by: engine, hasDoor: false)
    let (first, second) = (whole.inferences, close.inferences)
    for _ in 0..<20 { _ = shown(by: engine, hasDoor: false) }
    #expect(whole.inferences == first + 20 && close.inferences == second)
    for _ in 0..<20 { _ = shown(by: engine, hasDoor: false) }
    #expect(close.inferences == second + 1)
  }

  @Test func peopleOneByOneAreCheckedInTheDark() {
    close.alpha = { red, green, blue, _, _ in max(red, green) - blue > 0.1 ? 1 : 0 }
    whole.alpha = { red, green, _, _, _ in red - green > 0.1 ? 1 : 0 }
    let engine = engine(greatestShare: 1)
    for _ in 0..<20 {
      let picture = TestPicture(format: format, padding: 0)
      picture.paint(red: 4, green: 12, blue: 44)
      picture.paint(red: 48, green: 6, blue: 8) { x, y in
        (100..<300 ~= x || 950..<1150 ~= x) && 250..<700 ~= y
      }
      picture.paint(red: 6, green: 48, blue: 8) { x, y in 300..<330 ~= x && 300..<700 ~= y }
      process(engine, picture)
      #expect(picture.luma(200, 500) > 230 && picture.luma(1050, 500) > 230)
      #expect(picture.luma(318, 500) < 40)
    }
  }

  @Test(arguments: [(light: 1.0, isRoom: false), (0.2, true)])
  func aCloseUpIsDoubtedInTheDarkAlone(light: Double, isRoom: Bool) {
    close.alpha = { red, green, blue, _, _ in max(red, green) - blue > 0.1 ? 1 : 0 }
    whole.alpha = { red, green, _, _, _ in red - green > 0.1 ? 1 : 0 }
    let picture = shown(by: engine(greatestShare: 1), light: light)
    #expect(picture.luma(600, 450) > 230)
    #expect((picture.luma(816, 500) < 20) == isRoom)
  }
}
