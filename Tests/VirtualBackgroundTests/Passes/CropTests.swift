import Matting
import PixelTypes
import TestSupport
import Testing

@testable import VirtualBackground

/// Records how the engine moves the state of a network.
final class RecordingSegmenter: Segmenter {
  let fake: FakeSegmenter
  let remembersPast: Bool
  private(set) var moves: [(from: PixelRegion, to: PixelRegion)] = []

  init(_ fake: FakeSegmenter, remembersPast: Bool = false) {
    self.fake = fake
    self.remembersPast = remembersPast
  }

  var inputFormat: TensorFormat { fake.inputFormat }
  var edge: MatteEdge { fake.edge }
  var inputTensor: UnsafeMutablePointer<Float> { unsafe fake.inputTensor }
  func infer() throws(SegmentationError) -> RawMatte { try fake.infer() }
  func reset() { fake.reset() }
  func movePast(from old: PixelRegion, to new: PixelRegion) { moves.append((old, new)) }
}

@Suite struct CropTests {
  private let format = FrameFormat(width: 1280, height: 720)
  private let whole = FakeSegmenter(width: 64, height: 36)
  private let close = RecordingSegmenter(FakeSegmenter(width: 48, height: 48))

  private func engine(_ close: RecordingSegmenter) -> VirtualBackgroundEngine {
    VirtualBackgroundEngine(format, Segmenters(whole, close: close))
  }

  /// Returns a picture with a red person in each of the regions `people`, in a blue room.
  private func picture(_ people: PixelRegion...) -> TestPicture {
    let picture = TestPicture(format: format, Scene.room)
    for person in people { picture.paint(Scene.person, in: person) }
    return picture
  }

  private func process(_ engine: VirtualBackgroundEngine, _ picture: TestPicture) {
    engine.process(picture, settings: .matteOfEachFrame)
  }

  private let person = PixelRegion(x: 560, y: 300, width: 160, height: 300)

  @Test("shows exactly the person in the crop")
  func matteOfCrop() {
    let engine = engine(close)
    for _ in 0..<3 {
      let picture = picture(person)
      process(engine, picture)
      #expect(picture.luma(640, 450) > 230)
      #expect(picture.luma(540, 450) < 20 && picture.luma(740, 450) < 20)
      #expect(picture.luma(640, 280) < 20 && picture.luma(640, 620) < 20)
      #expect(picture.luma(10, 10) < 20 && picture.luma(1270, 710) < 20)
    }
  }

  @Test("keeps the edges of the person in place")
  func edges() {
    let engine = engine(close)
    let picture = picture(person)
    process(engine, picture)
    // The person's width and height by the matte, in pixels.
    let row = (0..<1280).reduce(0) { $0 + min(max(picture.luma($1, 450) - 16, 0), 219) }
    let column = (0..<720).reduce(0) { $0 + min(max(picture.luma(640, $1) - 16, 0), 219) }
    #expect(abs(row / 219 - 160) <= 12)
    #expect(abs(column / 219 - 300) <= 12)
    let left = (0..<1280).first { picture.luma($0, 450) > 125 } ?? 0
    let top = (0..<720).first { picture.luma(640, $0) > 125 } ?? 0
    #expect(abs(left - 560) <= 6 && abs(top - 300) <= 6)
  }

  @Test("finds a person who enters outside the crop within five frames")
  func entersOutsideCrop() {
    let engine = engine(close)
    for _ in 0..<6 { process(engine, picture(person)) }
    let newcomer = PixelRegion(x: 60, y: 300, width: 140, height: 420)
    var seen = 0
    for _ in 0..<5 {
      let picture = picture(person, newcomer)
      process(engine, picture)
      if picture.luma(130, 500) > 230 { seen += 1 }
      #expect(picture.luma(640, 450) > 230)
    }
    #expect(seen >= 1)
  }

  @Test("shows an arm that reaches outside the crop")
  func armOutsideCrop() {
    let engine = engine(close)
    for _ in 0..<6 { process(engine, picture(person)) }
    // An arm as long as the person appears.
    let picture = picture(person, PixelRegion(x: 400, y: 340, width: 400, height: 60))
    process(engine, picture)
    #expect(picture.luma(440, 370) > 230 && picture.luma(760, 370) > 230)
  }

  @Test("hides furniture at the edge of the crop")
  func furnitureAtEdge() {
    // The network of the crop also takes green areas for people.
    close.fake.alpha = { red, green, blue, _, _ in max(red, green) - min(red, blue) > 0.3 ? 1 : 0 }
    let engine = engine(close)
    for _ in 0..<6 { process(engine, picture(person)) }
    for _ in 0..<6 {
      let picture = picture(person)
      picture.paint((30, 200, 40)) { x, y in 740..<1000 ~= x && y >= 540 }
      process(engine, picture)
      #expect(picture.luma(640, 450) > 230)
      #expect((0..<1280).allSatisfy { $0 < 830 || picture.luma($0, 580) < 20 })
    }
  }

  @Test("uses one crop per person if two people are apart")
  func cropPerPerson() {
    let engine = engine(close)
    let other = PixelRegion(x: 60, y: 400, width: 140, height: 320)
    let right = PixelRegion(x: 1000, y: 300, width: 160, height: 420)
    for _ in 0..<3 {
      let before = close.fake.inferences
      let picture = picture(right, other)
      process(engine, picture)
      #expect(picture.luma(1080, 500) > 230 && picture.luma(130, 560) > 230)
      #expect(picture.luma(600, 560) < 20 && picture.luma(130, 340) < 20)
      if before > 0 { #expect(close.fake.inferences == before + 2) }
    }
  }

  @Test("runs a full-frame pass after the person has left")
  func personLeaves() {
    let engine = engine(close)
    for _ in 0..<6 { process(engine, picture(person)) }
    process(engine, picture())
    let before = whole.inferences
    let picture = picture(PixelRegion(x: 100, y: 200, width: 900, height: 500))
    process(engine, picture)
    #expect(whole.inferences == before + 1)
    #expect(picture.luma(500, 450) > 230)
  }

  @Test("moves the state of the network with the crop")
  func movesState() {
    let close = RecordingSegmenter(close.fake, remembersPast: true)
    let engine = engine(close)
    process(engine, picture(person))
    let view = close.moves.last?.to
    var moved = person
    for _ in 0..<8 {
      moved.x += 30
      process(engine, picture(moved))
    }
    #expect(close.moves.count >= 2)
    for (earlier, later) in zip(close.moves, close.moves.dropFirst()) {
      #expect(earlier.to == later.from)
    }
    #expect(close.moves.last?.to != view)
  }

  @Test("hides the frame if the full-frame pass fails")
  func failedFullFramePass() {
    whole.failure = failure
    var settings = EffectSettings.everyFrame
    settings.effect = .color
    #expect(engine(close).process(picture(person), settings: settings) == .hidden(failure))
  }
}
