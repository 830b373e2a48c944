import CAllocationCounter
import Matting
import PixelTypes
import TestSupport
import Testing

@testable import PersonSelection

/// A red area represents half a face: see `FakeFaceMapNetwork`.
struct HalfHiddenFacesTests {
  private let network = FakeFaceMapNetwork()
  private let hidden: HalfHiddenFaces
  private let picture = TestPicture(format: FrameFormat(width: 1280, height: 720))
  /// The face of the occluder.
  private let front = face(600, 300, width: 200)

  init() {
    hidden = HalfHiddenFaces(network: network)
    paintFace(at: nil)
  }

  /// Paints a face of 80 x 90 pixels around a column, or none for nil.
  private func paintFace(at middle: Int?) {
    picture.paint((90, 90, 90))
    guard let middle else { return }
    picture.paint((255, 0, 0)) {
      middle - 40..<middle + 40 ~= $0 && 255..<345 ~= $1
    }
  }

  private func find(
    looks: Int = 1, faces: [Face]? = nil, isShown: (Double, Double) -> Bool = { _, _ in true }
  ) throws -> [Face] {
    try hidden.find(
      in: picture.frame, format: picture.format, behind: faces ?? [front], looks: looks,
      isShown: isShown)
  }

  private func isAt(_ faces: [Face], _ x: Float) -> Bool {
    guard faces.count == 1, let box = faces.first?.box else { return false }
    return abs(box.center.x - x) < 5 && abs(box.center.y - 300) < 5 && abs(box.width - 80) < 6
      && abs(box.height - 90) < 6
  }

  @Test(arguments: [445, 455, 750, 790]) func halfAFaceIsFoundWhereItIs(x: Int) throws {
    paintFace(at: x)
    let faces = try find()
    #expect(isAt(faces, Float(x)))
  }

  /// The occluder ends at column 500.
  @Test("centres the box on the visible part of the face")
  func visiblePart() throws {
    paintFace(at: 480)
    #expect(isAt(try find(), (440 + 500) / 2))
    hidden.reset()
    paintFace(at: 720)
    #expect(isAt(try find(), (700 + 760) / 2))
  }

  /// The frame shows half of the face.
  @Test(arguments: [(0, 160), (1280, 1120)])
  func halfAFaceAtTheFramesEdgeIsFound(x: Int, front: Int) throws {
    paintFace(at: x)
    let box = try #require(try find(faces: [face(Float(front), 300, width: 180)]).first?.box)
    #expect(abs(box.center.x - Float(x == 0 ? 20 : 1260)) < 5 && abs(box.width - 40) < 6)
    // Outside the frame the input is black.
    let black = (0..<FaceMaps.input.width).filter { x in unsafe network.inputTensor[x] == 0 }
    #expect(black.count > 50 && (black.first == 0) == (x == 0))
  }

  @Test("tracks a half-hidden face as it moves")
  func movingFace() throws {
    paintFace(at: 450)
    _ = try find()
    for x in stride(from: 449, to: 100, by: -3) {
      paintFace(at: x)
      #expect(isAt(try find(looks: 0), Float(x)))
    }
    #expect(isAt(try find(looks: 0, faces: []), 101))
  }

  /// `wide` and `close` are the scores in the two crops, `next` is the score in the next frame.
  @Test(
    "accepts a new face only if both crops and the next frame confirm it",
    arguments: [
      (Float(0.11), Float(0.22), Float(0.16), true), (0.09, 0.9, 0.9, false),
      (0.9, 0.19, 0.9, false), (0.11, 0.22, 0.14, false),
    ])
  func newFace(wide: Float, close: Float, next: Float, isFound: Bool) throws {
    paintFace(at: 450)
    var scores = [wide, close, next]
    // The closer crop has its own centre.
    network.output = { network in
      let score = scores.removeFirst()
      network.put(
        column: scores.count == 2 ? 8 : 20, row: 12, width: scores.count == 2 ? 1.5 : 3.15,
        height: scores.count == 2 ? 1.5 : 2.6, score: score)
    }
    let first = try find()
    let second = scores.count == 1 ? try find(looks: 0) : []
    #expect((first.count == 1 && second.count == 1) == isFound)
  }

  @Test("forgets a face soon after it is gone")
  func goneFace() throws {
    paintFace(at: 450)
    #expect(try find().count == 1)
    paintFace(at: nil)
    #expect(try find(looks: 0).isEmpty)
    // The search at its last place continues.
    paintFace(at: 450)
    #expect(isAt(try find(looks: 0), 450))
    paintFace(at: nil)
    for _ in 0..<9 { #expect(try find(looks: 0).isEmpty) }
    paintFace(at: 450)
    #expect(try find(looks: 0).isEmpty)
    #expect(try find().count == 1)
    hidden.reset()
    #expect(try find(looks: 0).isEmpty)
  }

  @Test("stops tracking a face that the detector finds")
  func detectedFace() throws {
    paintFace(at: 450)
    #expect(try find().count == 1)
    let faces = [front, face(452, 300, width: 90)]
    for _ in 0..<20 { #expect(try find(looks: 2, faces: faces).isEmpty) }
    #expect(try find(looks: 0).isEmpty)
  }

  @Test func severalHalfFacesAreTracked() throws {
    network.output = { network in
      network.put(column: 8, row: 12, width: 1.5, height: 1.5, score: 0.5)
      network.put(column: 32, row: 12, width: 1.5, height: 1.5, score: 0.5)
      network.put(column: 20, row: 12, width: 3, height: 3, score: 0.5)
    }
    let faces = try find()
    #expect(faces.count == 2)
    #expect(Set(try find(looks: 0).map { $0.box.center.x < 600 }) == [true, false])
  }

  @Test("searches around one face after the other")
  func takesTurns() throws {
    let faces = [face(200, 300), face(500, 300), face(800, 300)]
    paintFace(at: 880)
    var frames = 1
    while try find(faces: faces).isEmpty, frames < 10 { frames += 1 }
    #expect(frames <= 3)
  }

  @Test("runs no inference without a face")
  func withoutFaces() throws {
    paintFace(at: 450)
    for _ in 0..<10 { #expect(try find(looks: 100, faces: []).isEmpty) }
    #expect(hidden.inferences == 0)
  }

  @Test("runs no inference next to a face that the matte does not show")
  func hiddenAreas() throws {
    paintFace(at: 450)
    for _ in 0..<10 { #expect(try find(isShown: { x, _ in x < 540 }).isEmpty) }
    #expect(hidden.inferences == 0)
    // A face on the wall next to a person gets no second inference.
    for _ in 0..<10 { #expect(try find(isShown: { x, _ in x > 540 }).isEmpty) }
    #expect(hidden.inferences == 10)
  }

  @Test(
    "returns finite faces for input that is extreme or not finite",
    arguments: [Float.nan, .infinity, -.infinity, 1e30, -1e30, 0])
  func extremeValues(value: Float) throws {
    paintFace(at: 450)
    let boxes = [
      FaceBox(center: FacePoint(x: value, y: 300), width: 200, height: 200),
      FaceBox(center: FacePoint(x: 600, y: value), width: 200, height: 200),
      FaceBox(center: FacePoint(x: 600, y: 300), width: value, height: 200),
      FaceBox(center: FacePoint(x: 600, y: 300), width: 200, height: value),
    ]
    for box in boxes {
      let face = Face(box: box, keypoints: front.keypoints, score: 1)
      for _ in 0..<3 { #expect(try find(looks: 3, faces: [face, face]).allSatisfy(\.isFinite)) }
    }
  }

  @Test func aFailedInferenceIsThrown() throws {
    let failure = SegmentationError(.inferenceFailed, "as the test says")
    network.failure = failure
    #expect(throws: failure) { try find() }
    network.failure = nil
    paintFace(at: 450)
    #expect(try find().count == 1)
    network.failure = failure
    #expect(throws: failure) { try find(looks: 0) }
  }

  @Test(.enabled(if: allocation_counter_works())) func nothingIsAllocatedForAFrame() throws {
    paintFace(at: 450)
    let faces = [front]
    func look() -> Int {
      (try? hidden.find(
        in: picture.frame, format: picture.format, behind: faces, looks: 1,
        isShown: { _, _ in true }))?
        .count ?? 0
    }
    for _ in 0..<10 { #expect(look() == 1) }
    let before = allocation_counter_count()
    for _ in 0..<10 { _ = look() }
    hidden.reset()
    for _ in 0..<10 { _ = look() }
    #expect(allocation_counter_count() - before == 0)
  }
}
