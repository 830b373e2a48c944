import Matting
import PixelTypes
import TestSupport
import Testing

@testable import VirtualBackground

/// People who are too small for the full-frame pass.
@Suite struct TileSearchTests {
  private let format = FrameFormat(width: 1280, height: 720)
  /// Finds a person who fills more than half of one of the network's pixels.
  ///
  /// A tile has half of the frame's width and half of its height. One of the network's pixels in a
  /// tile is a sixteenth of the frame's width and an eighth of its height.
  private let peopleFinder = FakeSegmenter(width: 8, height: 4)
  /// Confirms people.
  private let witness = FakeSegmenter(width: 16, height: 8)
  private let person = PixelRegion(x: 720, y: 450, width: 160, height: 90)

  private func close(_ edge: MatteEdge = .exact) -> RecordingSegmenter {
    RecordingSegmenter(FakeSegmenter(width: 48, height: 48, edge: edge), remembersPast: true)
  }

  private func segmenters(_ close: RecordingSegmenter) -> Segmenters {
    Segmenters(peopleFinder, close: close, witness: witness)
  }

  private func engine(_ close: RecordingSegmenter) -> VirtualBackgroundEngine {
    VirtualBackgroundEngine(format, segmenters(close))
  }

  /// Whether the matte of a blue room with a red person shows the middle of that person.
  private func shows(_ person: PixelRegion?, _ engine: VirtualBackgroundEngine) -> Bool {
    let picture = TestPicture(format: format, Scene.room)
    if let person { picture.paint(Scene.person, in: person) }
    engine.process(picture, settings: .matteOfEachFrame)
    return picture.luma(800, 495) > 230 && picture.luma(640, 300) < 20
  }

  @Test("finds a distant person in the first frame", arguments: [MatteEdge.exact, .approximate])
  func firstFrame(edge: MatteEdge) {
    let engine = engine(close(edge))
    for _ in 0..<3 { #expect(shows(person, engine)) }
  }

  @Test("finds a later newcomer with one tile search in four frames")
  func laterNewcomer() throws {
    let engine = engine(close())
    for _ in 0..<10 { #expect(!shows(nil, engine)) }
    let before = peopleFinder.inferences
    // There are nine tiles, and every fourth frame searches one. The people finder is also a
    // witness.
    let needed = try #require((1...36).first { _ in shows(person, engine) })
    #expect(peopleFinder.inferences - before <= needed + needed / 4 + 2)
    for _ in 0..<3 { #expect(shows(person, engine)) }
  }

  @Test(
    "ignores a person if only one network finds them, or both at different places",
    arguments: [0, 6])
  func disagreement(side: Int) {
    let close = close()
    // Nobody, or the upper left corner of each crop.
    close.fake.alpha = { _, _, _, x, y in x < side && y < side ? 1 : 0 }
    let engine = engine(close)
    for _ in 0..<40 { #expect(!shows(person, engine)) }
    #expect(close.fake.inferences > 0)
    #expect(close.moves.last?.to == PixelRegion(wholeOf: format))
  }

  /// A new network must not search all tiles at once, because this would delay frames.
  @Test("searches at most one tile per frame in the middle of a stream")
  func midStream() {
    let engine = engine(close())
    for _ in 0..<2 { #expect(!shows(nil, engine)) }
    let before = peopleFinder.inferences
    engine.use(segmenters(close()))
    #expect(!shows(nil, engine))
    #expect(peopleFinder.inferences - before <= 3)
  }

  @Test("ignores a person if the witness denies them")
  func deniedPerson() {
    witness.alpha = { _, _, _, _, _ in 0 }
    let engine = engine(close())
    for _ in 0..<40 { #expect(!shows(person, engine)) }
    #expect(witness.inferences > 0)
  }
}
