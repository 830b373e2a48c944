import PixelTypes
import TestSupport
import Testing

@testable import Matting

/// Mattes of 320x180 samples, with one tick between them.
@Suite struct ConfirmationTests {
  private let confirmation = Confirmation(grid: MatteGrid(format: MatteScene.format, shift: 0))
  private let witnesses = Witnesses()

  /// The answers of the witnesses.
  private final class Witnesses {
    /// The number of witnesses that see a person in a component.
    enum Answer { case zero, some, all }

    var answer: (ConnectedComponents.Component) -> Answer = { _ in .all }
    private(set) var questions = 0

    func ask(about component: ConnectedComponents.Component, isKnown: Bool) -> Bool {
      questions += 1
      return switch answer(component) {
      case .zero: false
      case .some: isKnown
      case .all: true
      }
    }
  }

  /// Returns the matte that is left of a painted one.
  ///
  /// The luma of the whole picture is `luma` in this matte and `former` in the previous one.
  @discardableResult
  private func show(
    luma: UInt8 = 100, former: UInt8 = 100, _ paint: (MatteScene.Painter) -> Void
  ) throws(SegmentationError) -> Raster<UInt8> {
    let painter = MatteScene.Painter()
    paint(painter)
    let pictures = [luma, former].map { Raster<UInt8>(width: 320, height: 180, filledWith: $0) }
    _ = try confirmation.apply(
      to: painter.matte, luma: pictures[0].plane, former: pictures[1].plane, after: 1
    ) { components, component, isKnown in
      witnesses.ask(about: components[component], isKnown: isKnown)
    }
    return painter.matte
  }

  /// Returns whether columns of a matte show at most an invisible alpha.
  private func isEmpty(_ matte: Raster<UInt8>, _ columns: Range<Int> = 0..<320) -> Bool {
    (0..<180).allSatisfy { y in columns.allSatisfy { unsafe matte.row(y)[$0] <= 2 } }
  }

  private func alpha(_ matte: Raster<UInt8>, _ x: Int, _ y: Int) -> UInt8 {
    unsafe matte.row(y)[x]
  }

  @Test("hides an object from the first matte on, and asks about it less and less")
  func object() throws {
    witnesses.answer = { _ in .zero }
    for _ in 0..<90 { #expect(isEmpty(try show { $0.ellipse(100, 90, 40, 60) })) }
    #expect(3...10 ~= witnesses.questions)
  }

  @Test("hides an object that only some witnesses take for a person")
  func contradictedObject() throws {
    witnesses.answer = { _ in .some }
    for _ in 0..<90 { #expect(isEmpty(try show { $0.ellipse(100, 90, 40, 60) })) }
  }

  @Test("hides faint samples if there is no person")
  func faintSamples() throws {
    #expect(isEmpty(try show { $0.fill(20..<300, 20..<160, 90) }))
  }

  @Test("shows a person at once, and asks about them once a second")
  func person() throws {
    for _ in 0..<90 { #expect(alpha(try show { $0.person(160) }, 160, 120) == 255) }
    #expect(3...4 ~= witnesses.questions)
  }

  @Test("shows a person next to an object that stays hidden")
  func personNextToObject() throws {
    witnesses.answer = { $0.left > 200 ? .zero : .all }
    for _ in 0..<60 {
      let matte = try show {
        $0.person(80)
        $0.ellipse(270, 100, 30, 50)
      }
      #expect(alpha(matte, 80, 120) == 255 && isEmpty(matte, 220..<320))
    }
  }

  @Test("keeps a person if some witnesses deny them, or all witnesses once")
  func contradictedPerson() throws {
    try show { $0.person(160) }
    witnesses.answer = { _ in .some }
    for _ in 0..<90 { #expect(alpha(try show { $0.person(160) }, 160, 120) == 255) }
    witnesses.answer = { [witnesses] _ in witnesses.questions.isMultiple(of: 2) ? .zero : .all }
    for _ in 0..<90 { #expect(alpha(try show { $0.person(160) }, 160, 120) == 255) }
  }

  @Test("hides the remains of a person within 0.3 seconds after the person has left")
  func personLeaves() throws {
    for _ in 0..<10 { try show { $0.person(160) } }
    witnesses.answer = { _ in .zero }
    let paint: (MatteScene.Painter) -> Void = { $0.person(160) }
    try show(luma: 160, former: 100, paint)
    let shown = try (0..<30).count { _ in try !isEmpty(show(luma: 160, former: 160, paint)) }
    #expect(shown <= 9)
  }

  @Test("hides an object that a person covered when the person vanishes, unless all confirm it")
  func coveredObject() throws {
    for _ in 0..<10 { try show { $0.person(160) } }
    witnesses.answer = { _ in .some }
    #expect(isEmpty(try show { $0.ellipse(160, 110, 12, 16) }))
  }

  @Test("hides the remains of a person within a second and a half if the picture hardly changes")
  func personLeavesInTheDark() throws {
    for _ in 0..<10 { try show { $0.person(160) } }
    witnesses.answer = { _ in .zero }
    #expect(try (0..<60).count { _ in try !isEmpty(show { $0.person(160) }) } <= 45)
  }

  @Test("shows a hand next to its person without a question, and hides it with the person")
  func hand() throws {
    let paint: (MatteScene.Painter) -> Void = {
      $0.person(160)
      $0.ellipse(221, 130, 8, 12)
    }
    witnesses.answer = { $0.right - $0.left < 30 ? .zero : .all }
    for _ in 0..<20 { #expect(alpha(try show(paint), 221, 130) == 255) }
    witnesses.answer = { _ in .zero }
    for _ in 0..<60 { try show(paint) }
    #expect(isEmpty(try show(paint)))
  }

  @Test("asks at once about an object that grows, such as a person who comes in")
  func newcomer() throws {
    witnesses.answer = { $0.right - $0.left < 40 ? .zero : .all }
    for _ in 0..<60 { #expect(isEmpty(try show { $0.ellipse(0, 120, 20, 40) })) }
    #expect(alpha(try show { $0.ellipse(0, 120, 60, 60) }, 30, 120) == 255)
  }

  @Test("asks again after a reset")
  func resets() throws {
    try show { $0.person(160) }
    confirmation.reset()
    witnesses.answer = { _ in .some }
    #expect(isEmpty(try show { $0.person(160) }))
  }
}
