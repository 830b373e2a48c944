import InferenceTypes
import PixelTypes
import TestSupport
import Testing

@testable import VirtualBackground

/// People who are too small for the full-frame pass.
@Suite struct TileSearchTests {
  private let format = FrameFormat(
    width: 1280, height: 720, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
  /// Finds a person who fills more than half of one of the network's pixels.
  ///
  /// A tile has half of the frame's width and half of its height. One of the network's pixels in a
  /// tile is a sixteenth of the frame's width and an eighth of its height.
  private let peopleFinder = FakeSegmenter(
    format: TensorFormat(width: 8, height: 4, layout: .planar, fit: .stretch))
  /// Confirms people.
  private let witness = FakeSegmenter(
    format: TensorFormat(width: 16, height: 8, layout: .planar, fit: .stretch))
  private let person = PixelRegion(x: 720, y: 450, width: 160, height: 90)

  private func close(_ edge: MatteEdge) -> RecordingSegmenter {
    RecordingSegmenter(
      FakeSegmenter(
        format: TensorFormat(width: 48, height: 48, layout: .planar, fit: .stretch), edge: edge),
      remembersPast: true)
  }

  private func engine(_ close: RecordingSegmenter) -> VirtualBackgroundEngine {
    let engine = VirtualBackgroundEngine()
    engine.configure(for: format)
    use(close, in: engine)
    return engine
  }

  private func use(_ close: RecordingSegmenter, in engine: VirtualBackgroundEngine) {
    engine.use(
      Segmenters(
        wholeFrame: peopleFinder,
        crop: Segmenters.Crop(
          segmenter: close, peopleFinder: peopleFinder, witness: witness,
          margins: CropMargins(margin: 0.1, maxShare: 0.9))))
  }

  /// Whether the matte of a blue room with a red person shows the middle of that person.
  private func shows(_ person: PixelRegion?, _ engine: VirtualBackgroundEngine) -> Bool {
    let picture = TestPicture(format: format, padding: 0)
    picture.paint(red: 20, green: 60, blue: 220)
    if let person {
      picture.paint(red: 200, green: 30, blue: 40) { x, y in
        person.x..<person.endX ~= x && person.y..<person.endY ~= y
      }
    }
    var settings = EffectSettings.everyFrame
    settings.effect = .matte
    settings.matte.smoothing = 0
    return withExtendedLifetime(picture) {
      _ = engine.process(picture.frame, settings: settings)
      return picture.luma(800, 495) > 230 && picture.luma(640, 300) < 20
    }
  }

  @Test("finds a distant person in the first frame")
  func firstFrame() {
    let engine = engine(close(.exact))
    for _ in 0..<3 { #expect(shows(person, engine)) }
  }

  @Test("finds a later newcomer with one tile search in four frames")
  func laterNewcomer() throws {
    let engine = engine(close(.exact))
    for _ in 0..<10 { #expect(!shows(nil, engine)) }
    let before = peopleFinder.inferences
    // There are nine tiles, and every fourth frame searches one. The people finder is also a witness.
    let needed = try #require((1...36).first { _ in shows(person, engine) })
    #expect(peopleFinder.inferences - before <= needed + needed / 4 + 2)
    for _ in 0..<3 { #expect(shows(person, engine)) }
  }

  @Test("ignores a person if only one network finds them")
  func singleNetwork() {
    let close = close(.exact)
    close.fake.alpha = { _, _, _, _, _ in 0 }
    let engine = engine(close)
    for _ in 0..<40 { #expect(!shows(person, engine)) }
    #expect(close.fake.inferences > 0)
    #expect(close.moves.last?.to == PixelRegion(wholeOf: format))
  }

  @Test("ignores a person if the networks find them at different places")
  func differentPlaces() {
    let close = close(.exact)
    // The upper left corner of each crop.
    close.fake.alpha = { _, _, _, x, y in x < 6 && y < 6 ? 1 : 0 }
    let engine = engine(close)
    for _ in 0..<40 { #expect(!shows(person, engine)) }
    #expect(close.moves.last?.to == PixelRegion(wholeOf: format))
  }

  /// A new network must not search all tiles at once, because this would delay frames.
  @Test("searches at most one tile per frame in the middle of a stream")
  func midStream() {
    let engine = engine(close(.exact))
    for _ in 0..<2 { #expect(!shows(nil, engine)) }
    let before = peopleFinder.inferences
    use(close(.exact), in: engine)
    #expect(!shows(nil, engine))
    #expect(peopleFinder.inferences - before <= 3)
  }

  @Test("finds a distant person with approximate networks")
  func approximateNetwork() {
    let engine = engine(close(.approximate))
    for _ in 0..<3 { #expect(shows(person, engine)) }
  }

  @Test("ignores a person if the witness denies them")
  func deniedPerson() {
    witness.alpha = { _, _, _, _, _ in 0 }
    let engine = engine(close(.exact))
    for _ in 0..<40 { #expect(!shows(person, engine)) }
    #expect(witness.inferences > 0)
  }
}
