import Matting
import PixelTypes
import TestSupport
import Testing

@testable import VirtualBackground

/// Rooms without people, in which a network mistakes something for a person.
@Suite struct EmptyRoomTests {
  private let format = FrameFormat(width: 1280, height: 720)
  private let engine = VirtualBackgroundEngine()
  private let person = PixelRegion(x: 480, y: 200, width: 320, height: 520)

  /// Uses a network for the mattes that has a memory.
  private func use(_ close: FakeSegmenter) {
    let segmenter = RecordingSegmenter(close, remembersPast: true)
    engine.configure(for: format)
    engine.use(
      Segmenters(
        segmenter, close: segmenter, peopleFinder: FakeSegmenter(width: 64, height: 36),
        witness: FakeSegmenter(width: 64, height: 36)))
  }

  private func network(_ alpha: @escaping FakeSegmenter.Alpha) -> FakeSegmenter {
    FakeSegmenter(width: 64, height: 36, edge: .exact, alpha: alpha)
  }

  /// Returns the luma of the matte in the middle of `person`.
  ///
  /// In the picture, this area is red like a person, green like a plant, or blue like the room. The
  /// person is brighter than the room.
  private func shown(red: UInt8, green: UInt8, blue: UInt8) -> Int {
    let picture = TestPicture(format: format, Scene.room)
    picture.paint((red, green, blue), in: person)
    var settings = EffectSettings.everyFrame
    settings.effect = .matte
    engine.process(picture, settings: settings)
    return picture.luma(640, 460)
  }

  private func showPerson() -> Int { shown(red: 250, green: 150, blue: 140) }
  private func showPlant() -> Int { shown(red: 30, green: 200, blue: 40) }
  private func showRoom() -> Int { shown(red: 20, green: 60, blue: 220) }

  @Test("hides a plant that only the network of the mattes mistakes for a person")
  func plant() {
    use(network { red, green, blue, _, _ in max(red, green) - blue > 0.3 ? 1 : 0 })
    for _ in 0..<60 { #expect(showPlant() < 20) }
    #expect((0..<5).contains { _ in showPerson() > 230 })
  }

  @Test("shows a person in the first frame")
  func firstFrame() {
    use(network { red, green, _, _, _ in red - green > 0.3 ? 1 : 0 })
    for _ in 0..<3 { #expect(showPerson() > 230) }
  }

  @Test("hides the ghost that a network remembers within 0.3 seconds, and resets the network")
  func ghost() {
    let memory = Flag()
    let close = network { red, green, _, _, _ in red - green > 0.3 || memory.isOpen ? 1 : 0 }
    use(close)
    for _ in 0..<10 { #expect(showPerson() > 230) }
    memory.isOpen = true
    let resets = close.timesForgotten
    for i in 0..<60 { #expect(showRoom() < 20 || i < 9, "\(i)") }
    #expect(close.timesForgotten > resets)
  }

  /// A flag that a test sets between frames.
  private final class Flag: @unchecked Sendable {
    // Safety: only the test's thread uses it.
    var isOpen = false
  }
}
