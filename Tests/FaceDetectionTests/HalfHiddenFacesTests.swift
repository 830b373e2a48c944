import CAllocationCounter
import InferenceTypes
import PixelTypes
import Processor
import TestSupport
import Testing
import VirtualBackground

@testable import FaceDetection

/// What is red stands for half a face: see `FakePatchNetwork`.
struct HalfHiddenFacesTests {
  private let network = FakePatchNetwork()
  private let hidden: HalfHiddenFaces
  private let picture = TestPicture(
    format: FrameFormat(
      width: 1280, height: 720, colorimetry: Colorimetry(matrix: .bt709, range: .limited)))
  /// The face of whoever stands in front.
  private let front = face(600, 300, width: 200)

  init() {
    hidden = HalfHiddenFaces(network: network, kernels: InstructionSet.current.kernels)
    paintFace(at: nil)
  }

  /// Paints a face of 80x90 pixels around a column; nil for none.
  private func paintFace(at middle: Int?) {
    picture.paint(red: 90, green: 90, blue: 90)
    guard let middle else { return }
    picture.paint(red: 255, green: 0, blue: 0) {
      middle - 40..<middle + 40 ~= $0 && 255..<345 ~= $1
    }
  }

  private func find(
    looks: Int = 1, faces: [Face]? = nil, isShown: (Double, Double) -> Bool = { _, _ in true }
  ) throws -> Face? {
    try hidden.find(
      in: picture.frame, format: picture.format, beside: faces ?? [front], looks: looks,
      isShown: isShown)
  }

  /// Looks at all places, and at what is found there in the frames after it.
  private func findAtOnce() throws -> Face? {
    var face = try find(looks: 200)
    for _ in 1..<4 {
      #expect(face == nil)
      face = try find()
    }
    return face
  }

  private func isAt(_ face: Face?, _ x: Float) -> Bool {
    guard let box = face?.box else { return false }
    return abs(box.center.x - x) < 5 && abs(box.center.y - 300) < 5 && abs(box.width - 80) < 6
      && abs(box.height - 90) < 6
  }

  @Test(arguments: [445, 455, 750]) func halfAFaceIsFoundWhereItIs(x: Int) throws {
    paintFace(at: x)
    let face = try findAtOnce()
    #expect(isAt(face, Float(x)))
    #expect(face?.score == 0.99)
  }

  @Test func itIsFoundWithAPatchAFrameToo() throws {
    paintFace(at: 450)
    var frames = 0
    while try find() == nil, frames < 100 { frames += 1 }
    #expect(4..<100 ~= frames)
    #expect(hidden.inferences == frames + 1)
  }

  /// A face of 200x200 around 600, 300: a place lies beside it by sides of 200 pixels.
  @Test func thePlaceOfABoxIsReckonedFromThePatch() throws {
    let place = try #require(HalfHiddenFaces.places.first)
    // The first place: 0.45 to the left and 0.45 up, 0.55 of the side.
    #expect(place.center == FacePoint(x: -0.45, y: -0.45) && place.side == 0.55)
    network.output = FacePatch(score: 0.98, left: -0.25, top: 0.1, right: 0.35, bottom: 1)
    // The patch is 110 pixels around 510, 210: from 455, 155.
    var face: Face?
    for frame in 0..<4 {
      face = try find()
      #expect((face == nil) == (frame < 3))
    }
    let box = try #require(face?.box)
    #expect(abs(box.x - (455 - 27.5)) < 0.01 && abs(box.endX - (455 + 38.5)) < 0.01)
    #expect(abs(box.y - (155 + 11)) < 0.01 && abs(box.endY - 265) < 0.01)
  }

  /// The first patch is 110 pixels around 510, 210, the face to its right 200 around 600, 300.
  @Test(arguments: [(Float(0.1), true), (0.2, false)])
  func whatLiesMostlyInTheOtherFaceIsThatOne(left: Float, isFound: Bool) throws {
    // 0.56 and 0.7 of these boxes lie in it.
    network.output = FacePatch(score: 0.98, left: left, top: 0.5, right: left + 0.7, bottom: 1.2)
    var face: Face?
    for _ in 0..<4 { face = try find() }
    #expect((face != nil) == isFound)
  }

  /// A face of which the frame shows the right half.
  @Test(arguments: [(Float(0.99), true), (0.98, false)])
  func halfAFaceAtTheFramesEdgeIsWholeWithItsMirrorImage(score: Float, isFound: Bool) throws {
    paintFace(at: 0)
    network.score = score
    let left = face(160, 300, width: 200)
    var found = try find(looks: 200, faces: [left])
    for _ in 0..<3 { found = try find(faces: [left]) }
    #expect(isAt(found, 0) == isFound)
    // The same at the right one.
    hidden.forget()
    paintFace(at: 1280)
    let right = face(1120, 300, width: 200)
    found = try find(looks: 200, faces: [right])
    for _ in 0..<3 { found = try find(faces: [right]) }
    #expect(isAt(found, 1280) == isFound)
  }

  /// However far the turns are.
  @Test(arguments: [100, 107, 114, 121, 128, 135, 142, 149])
  func whereSomebodyIsNewIsLookedAtFirst(frames: Int) throws {
    for _ in 0..<frames { _ = try find(isShown: { x, _ in x > 520 }) }
    paintFace(at: 450)
    var needed = 1
    while try find(isShown: { x, _ in x > 520 || 430..<470 ~= x }) == nil, needed < 100 {
      needed += 1
    }
    // A dozen places lie there; then come four frames that agree.
    #expect(needed <= 16)
  }

  @Test func allPlacesHaveTheirTurn() {
    let count = HalfHiddenFaces.places.count
    #expect(Set((0..<count).map { $0 * HalfHiddenFaces.step % count }).count == count)
  }

  @Test func itIsFollowedAsItMoves() throws {
    paintFace(at: 450)
    _ = try findAtOnce()
    for x in stride(from: 449, to: 400, by: -3) {
      paintFace(at: x)
      #expect(isAt(try find(), Float(x)))
    }
  }

  @Test func whatAFewFramesShowIsNoFace() throws {
    paintFace(at: 450)
    #expect(try find(looks: 200) == nil)
    for _ in 0..<2 { #expect(try find() == nil) }
    paintFace(at: nil)
    for _ in 0..<20 { #expect(try find() == nil) }
  }

  /// Scores of the first frame, and of the three after it.
  @Test(arguments: [
    (0.98, 0.82, true), (0.96, 0.99, false), (0.99, 0.78, false),
  ])
  func whatIsNewHasToBeSure(first: Float, next: Float, isFound: Bool) throws {
    paintFace(at: 450)
    network.score = first
    _ = try find(looks: 200)
    network.score = next
    var face: Face?
    for _ in 0..<3 { face = try find() }
    #expect((face != nil) == isFound)
    // One that was seen may turn away.
    network.score = 0.6
    #expect((try find() != nil) == isFound)
  }

  @Test func oneThatIsGoneIsForgottenSoon() throws {
    paintFace(at: 450)
    _ = try findAtOnce()
    paintFace(at: nil)
    #expect(try find() == nil)
    // It is still looked for where it was.
    paintFace(at: 450)
    #expect(isAt(try find(), 450))
    paintFace(at: nil)
    for _ in 0..<15 { #expect(try find() == nil) }
    paintFace(at: 450)
    #expect(try find() == nil)
    #expect(try findAtOnce() != nil)
    hidden.forget()
    #expect(try find() == nil)
  }

  @Test func oneThatIsFoundByItselfIsHiddenNoMore() throws {
    paintFace(at: 450)
    _ = try findAtOnce()
    #expect(try find(faces: [front, face(452, 300, width: 110)]) == nil)
    // Nor is anybody looked for there.
    for _ in 0..<200 { #expect(try find(faces: [front, face(452, 300, width: 110)]) == nil) }
  }

  @Test func nothingIsLookedAtWithoutAFace() throws {
    paintFace(at: 450)
    for _ in 0..<100 { #expect(try find(looks: 100, faces: []) == nil) }
    #expect(hidden.inferences == 0)
  }

  @Test func nothingIsLookedAtWhereNobodyIsShown() throws {
    paintFace(at: 450)
    for _ in 0..<100 { #expect(try find(looks: 100, isShown: { x, _ in x > 540 }) == nil) }
    // Nor beside the face on a poster.
    let before = hidden.inferences
    #expect(before > 0)
    for _ in 0..<100 { #expect(try find(looks: 100, isShown: { x, _ in x < 540 }) == nil) }
    #expect(hidden.inferences == before)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, 1e30, -1e30])
  func oddNumbersAreNoFace(value: Float) throws {
    network.output = FacePatch(score: 1, left: value, top: 0, right: 1, bottom: 1)
    for _ in 0..<10 { #expect(try find() == nil) }
    network.output = FacePatch(score: value, left: 0, top: 0, right: 1, bottom: 1)
    for _ in 0..<10 { if let face = try find() { #expect(face.isFinite) } }
    hidden.forget()
    network.output = nil
    let odd = FaceBox(center: FacePoint(x: value, y: 300), width: 200, height: value)
    for _ in 0..<10 {
      let face = Face(box: odd, keypoints: front.keypoints, score: 1)
      #expect(try find(looks: 100, faces: [face]) == nil)
    }
  }

  @Test func aFailedInferenceIsPassedOn() throws {
    let failure = SegmentationError(.inferenceFailed, "as the test says")
    network.failure = failure
    #expect(throws: failure) { try find() }
    network.failure = nil
    paintFace(at: 450)
    _ = try findAtOnce()
    network.failure = failure
    #expect(throws: failure) { try find() }
  }

  @Test(.enabled(if: allocation_counter_works())) func nothingIsAllocatedForAFrame() throws {
    paintFace(at: 450)
    let faces = [front]
    func look() throws -> Face? {
      try hidden.find(
        in: picture.frame, format: picture.format, beside: faces, looks: 1,
        isShown: { x, _ in x < 700 })
    }
    for _ in 0..<100 { _ = try look() }
    #expect(try look() != nil)
    let before = allocation_counter_count()
    for _ in 0..<10 { _ = try look() }
    hidden.forget()
    for _ in 0..<10 { _ = try look() }
    #expect(allocation_counter_count() - before == 0)
  }
}
