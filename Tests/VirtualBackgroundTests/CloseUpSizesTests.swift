import InferenceTypes
import PixelTypes
import Processor
import TestSupport
import Testing

@testable import VirtualBackground

/// A network with a memory, at a larger size while people are side by side.
@Suite struct CloseUpSizesTests {
  private let own = network(48)
  private let larger = network(64)
  private let format = FrameFormat(
    width: 320, height: 180, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
  private let engine = VirtualBackgroundEngine(kernels: InstructionSet.current.kernels)

  private static func network(_ width: Int) -> RecordingSegmenter {
    RecordingSegmenter(
      FakeSegmenter(
        format: TensorFormat(width: width, height: width * 3 / 4, layout: .planar, fit: .stretch),
        edge: .exact),
      remembersPast: true)
  }

  /// Another network looks over the whole frame, so that the inferences counted are those of the view.
  private func begin(_ onDemand: FakeOnDemand? = nil) {
    engine.configure(for: format)
    engine.use(
      Segmenters(
        wholeFrame: own,
        closeUp: Segmenters.CloseUp(
          segmenter: own,
          overview: FakeSegmenter(
            format: TensorFormat(width: 64, height: 36, layout: .planar, fit: .stretch)),
          larger: onDemand ?? FakeOnDemand(larger),
          framing: Framing(margin: 0.1, greatestShare: 0.9))))
  }

  private enum People {
    case one, two
  }

  /// People before a room; what `isPale` of the one on the right is less red than the rest.
  private func picture(_ people: People, isPale: Bool = false) -> TestPicture {
    let picture = TestPicture(format: format, padding: 0)
    picture.paint(red: 20, green: 60, blue: 220)
    picture.paint(red: 200, green: 30, blue: 40) { x, y in
      (190..<250 ~= x && y > 40) || (people == .two && 60..<110 ~= x && y > 70)
    }
    if isPale { picture.paint(red: 220, green: 130, blue: 40) { x, y in 225..<250 ~= x && y > 80 } }
    return picture
  }

  /// Which sizes ran on a frame.
  private enum Sizes {
    case own, both, larger
  }

  /// Shows frames, a thirtieth of a second apart, each with an inference; returns which sizes ran on each.
  @discardableResult
  private func show(_ people: People, frames: Int = 1, isPale: Bool = false) -> [Sizes] {
    var settings = EffectSettings()
    settings.effect = .matte
    settings.smoothing = 0
    settings.inference = .everyFrame
    engine.frameDuration = 33_333_333
    return (0..<frames).map { frame in
      let before = (own.fake.inferences, larger.fake.inferences)
      let picture = picture(people, isPale: isPale)
      #expect(engine.process(picture.frame, settings: settings) == .composed(inferred: true))
      #expect(picture.luma(220, 125) > 230 && picture.luma(150, 125) < 20)
      #expect(picture.luma(234, 125) > 220 && picture.luma(258, 125) < 20)
      // Who comes in is seen within a few frames.
      if frame >= 8 { #expect((picture.luma(85, 125) > 230) == (people == .two)) }
      if larger.fake.inferences == before.1 { return .own }
      return own.fake.inferences == before.0 ? .larger : .both
    }
  }

  /// Whether the larger size sees so many frames, and its own looks for lost parts once a second at most.
  private func isLarger(_ sizes: some Sequence<Sizes>) -> Bool {
    let sizes = Array(sizes)
    return !sizes.contains(.own) && sizes.filter { $0 == .both }.count <= sizes.count / 30 + 1
  }

  @Test func onePersonIsSeenAtItsOwnSize() {
    let onDemand = FakeOnDemand(larger)
    begin(onDemand)
    #expect(show(.one, frames: 60).allSatisfy { $0 == .own })
    #expect(onDemand.requests == 0)
  }

  @Test func theLargerSizeSeesWhoeverIsThereFromTheStart() {
    begin()
    // The first look, which finds the view, is that of its own size; for lost parts that looks again.
    #expect(show(.two) == [.both])
    #expect(own.fake.inferences == 6 && larger.fake.inferences == 4)
    #expect(isLarger(show(.two, frames: 60)))
  }

  @Test func theLargerSizeTakesOverAfterItHasRunBeside() {
    begin()
    show(.one, frames: 10)
    let sizes = show(.two, frames: 40)
    // People have to be side by side for half a second.
    #expect(sizes[..<15].allSatisfy { $0 == .own })
    // After four frames with both, its own looks for what the larger one has lost.
    #expect(sizes.filter { $0 == .both }.count == 5)
    #expect(isLarger(sizes[25...]))
  }

  @Test func theOwnSizeTakesOverAfterTheOtherHasGone() {
    begin()
    show(.two, frames: 10)
    let sizes = show(.one, frames: 80)
    #expect(isLarger(sizes[..<58]))
    #expect(sizes[58..<70].filter { $0 == .both }.count >= 4)
    #expect(sizes[70...].allSatisfy { $0 == .own })
  }

  @Test func whoLeansOverChangesNothing() {
    begin()
    show(.two, frames: 10)
    for _ in 0..<3 {
      #expect(isLarger(show(.one, frames: 40) + show(.two, frames: 10)))
    }
  }

  @Test func whoPassesChangesNothing() {
    begin()
    show(.one, frames: 10)
    for _ in 0..<3 {
      #expect(show(.two, frames: 12).allSatisfy { $0 == .own })
      #expect(show(.one, frames: 10).allSatisfy { $0 == .own })
    }
  }

  @Test func framesDoNotWaitForALargerSizeThatIsBeingMade() {
    let onDemand = FakeOnDemand(larger, patience: 20)
    begin(onDemand)
    #expect(show(.two) == [.own])
    // The first frame has it made.
    #expect(onDemand.requests > 0 && onDemand.isBeingMade())
    #expect(show(.two, frames: 20).allSatisfy { $0 == .own })
    show(.two, frames: 20)
    #expect(isLarger(show(.two, frames: 10)))
    let requests = onDemand.requests
    show(.one, frames: 80)
    show(.two, frames: 40)
    #expect(isLarger(show(.two)) && onDemand.requests == requests)
  }

  @Test func aLargerSizeThatIsNeverMadeIsDoneWithout() {
    begin(FakeOnDemand(larger, patience: .max))
    #expect(show(.two, frames: 60).allSatisfy { $0 == .own })
  }

  @Test func bothSizesRememberThePartThatIsSeen() {
    begin()
    show(.one, frames: 10)
    show(.two, frames: 40)
    let before = (own.moves.count, larger.moves.count)
    show(.one, frames: 40)
    #expect(own.moves.count > before.0)
    #expect(larger.moves.map(\.to) == own.moves.suffix(larger.moves.count).map(\.to))
    #expect(larger.moves.count > before.1)
  }

  @Test func whatTheLargerSizeLosesComesBack() {
    begin()
    larger.fake.alpha = { red, green, _, _, _ in red - green > 0.5 ? 1 : 0 }
    show(.one, frames: 10)
    #expect(show(.two, frames: 60, isPale: true).suffix(20).allSatisfy { $0 == .both })
  }

  @Test func theSizesBeginAnewWhenThePastIsForgotten() {
    begin()
    show(.two, frames: 10)
    let before = (own.fake.timesForgotten, larger.fake.timesForgotten)
    engine.forgetPast()
    #expect(own.fake.timesForgotten > before.0 && larger.fake.timesForgotten > before.1)
    #expect(show(.one, frames: 5).allSatisfy { $0 == .own })
  }

  @Test func aLargerSizeThatFailsBesideIsDoneWithout() {
    begin()
    show(.one, frames: 10)
    larger.fake.failure = SegmentationError(.inferenceFailed, "no more")
    // A failure counts as a run.
    #expect(show(.two, frames: 60).filter { $0 == .both }.count == 1)
  }

  @Test func aLargerSizeThatFailsLaterIsDoneWithout() {
    begin()
    show(.two, frames: 10)
    larger.fake.failure = SegmentationError(.inferenceFailed, "no more")
    let sizes = show(.two, frames: 60)
    #expect(sizes[0] == .both && sizes[1...].allSatisfy { $0 == .own })
  }

  @Test func aLargerSizeThatFailsAtFirstIsDoneWithout() {
    larger.fake.failure = SegmentationError(.inferenceFailed, "no more")
    begin()
    #expect(show(.two) == [.both])
    #expect(show(.two, frames: 60).allSatisfy { $0 == .own })
  }

  @Test func framesOfAnotherFormatAreNotRememberedByTheLargerSize() {
    begin()
    show(.two, frames: 10)
    let forgotten = larger.fake.timesForgotten
    engine.configure(for: format)
    #expect(isLarger(show(.two)) && larger.fake.timesForgotten > forgotten)
  }
}
