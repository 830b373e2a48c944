import Matting
import PixelTypes
import TestSupport
import Testing

@testable import PersonSelection

/// Red and blue areas represent faces: see `FakeFaceNetwork`.
struct FaceDetectorTests {
  private let network = FakeFaceNetwork()
  private let detector: FaceDetector

  init() {
    detector = FaceDetector(network: network)
  }

  private static let colorimetry = Colorimetry(matrix: .bt709, range: .limited)

  private func picture(_ width: Int, _ height: Int, padding: Int = 0) -> TestPicture {
    let picture = TestPicture(
      format: FrameFormat(width: width, height: height, colorimetry: Self.colorimetry),
      padding: padding)
    picture.paint((90, 90, 90))
    return picture
  }

  private func paint(_ picture: TestPicture, _ x: Int, _ y: Int, _ size: Int, blue: Bool = false) {
    picture.paint(red: blue ? 0 : 255, green: 0, blue: blue ? 255 : 0) {
      x..<x + size ~= $0 && y..<y + size ~= $1
    }
  }

  private func detect(_ picture: TestPicture) throws -> [Face] {
    try detector.detect(in: picture.frame, format: picture.format)
  }

  /// Whether a face matches a square, with a tolerance of a twentieth of its size.
  private func isAt(_ face: Face?, _ x: Int, _ y: Int, _ size: Int) -> Bool {
    guard let face else { return false }
    let middle = FacePoint(x: Float(x) + Float(size) / 2, y: Float(y) + Float(size) / 2)
    let expected = Face(
      box: FaceBox(center: middle, width: Float(size), height: Float(size)),
      keypoints: FaceKeypoints(
        rightEye: middle, leftEye: FacePoint(x: middle.x + 1, y: middle.y), noseTip: middle,
        mouth: middle, rightEar: middle, leftEar: middle), score: 0
    ).whole
    let slack = Float(size) / 20 + 2
    return abs(face.box.center.x - expected.box.center.x) < slack
      && abs(face.box.center.y - expected.box.center.y) < slack
      && abs(face.box.width - expected.box.width) < 2 * slack
      && abs(face.keypoints.noseTip.x - middle.x) < slack
      && abs(face.keypoints.noseTip.y - middle.y) < slack
  }

  @Test(arguments: [
    (640, 360), (360, 640), (641, 361), (512, 512), (1280, 720), (1999, 1001), (300, 1200),
  ])
  func aFaceIsFoundWhereItIs(width: Int, height: Int) throws {
    let picture = picture(width, height, padding: 24)
    let size = min(width, height) / 4
    paint(picture, width / 3, height / 2, size)
    let faces = try detect(picture)
    #expect(faces.count == 1)
    #expect(isAt(faces.first, width / 3, height / 2, size))
    #expect(faces.first.map { abs($0.roll) < 0.01 } == true)
    #expect(isAt(try detect(picture).first, width / 3, height / 2, size))
    #expect(picture.paddingIsIntact)
  }

  @Test("finds a distant face within 12 frames", arguments: [(4, 4), (1200, 640), (600, 300)])
  func distantFace(x: Int, y: Int) throws {
    let picture = picture(1280, 720)
    paint(picture, x, y, 40)
    var faces: [Face] = []
    var frames = 0
    while faces.isEmpty, frames < 12 {
      faces = try detect(picture)
      frames += 1
    }
    #expect(isAt(faces.first, x, y, 40))
    // After that, each frame takes one inference for the face and one for the search.
    let before = network.inferences
    for _ in 0..<30 { #expect(isAt(try detect(picture).first, x, y, 40)) }
    #expect(network.inferences - before <= 30 * 2 + 10)
  }

  @Test func twoFacesAreFoundAndFollowed() throws {
    for step in 0..<20 {
      let picture = picture(1280, 720)
      paint(picture, 100 + 8 * step, 200, 120)
      paint(picture, 900 - 8 * step, 300, 90, blue: true)
      let faces = try detect(picture).sorted { $0.box.center.x < $1.box.center.x }
      #expect(faces.count == 2)
      #expect(isAt(faces.first, 100 + 8 * step, 200, 120))
      #expect(isAt(faces.last, 900 - 8 * step, 300, 90))
    }
  }

  @Test(
    "keeps a small face unless it is inside a larger one", arguments: [(Float(90), 2), (80, 1)])
  func overlappingFaces(x: Float, count: Int) throws {
    network.output = { network in
      network.put(
        FaceBox(center: FacePoint(x: 64, y: 64), width: 60, height: 60), anchor: 0, logit: 4)
      network.put(
        FaceBox(center: FacePoint(x: x, y: 66), width: 28, height: 28), anchor: 50, logit: 3)
    }
    // 64 % and 100 % of the small box are inside the large one.
    let picture = picture(128, 128)
    for _ in 0..<6 { #expect(try detect(picture).count == count) }
  }

  @Test func aFaceThatJumpsIsFoundAgain() throws {
    let before = picture(1280, 720)
    paint(before, 100, 100, 150)
    _ = try detect(before)
    let after = picture(1280, 720)
    paint(after, 900, 400, 150)
    let found = try (0..<4).map { _ in try detect(after) }
    #expect(found.contains { isAt($0.first, 900, 400, 150) })
    #expect(found.allSatisfy { $0.count <= 1 })
  }

  @Test("forgets a face that leaves")
  func leavingFace() throws {
    let picture = picture(640, 360)
    paint(picture, 200, 100, 100)
    _ = try detect(picture)
    let empty = self.picture(640, 360)
    for _ in 0..<20 { #expect(try detect(empty).isEmpty) }
  }

  @Test("rejects a face that the closer crop does not confirm")
  func unconfirmedFace() throws {
    // It looks like a face only in the larger crop.
    network.output = { network in
      let isWhole = network.inferences % 2 == 1
      network.put(
        FaceBox(center: FacePoint(x: 64, y: 64), width: 40, height: 40), anchor: 0,
        logit: isWhole ? 4 : 0.9)
    }
    let picture = picture(128, 128)
    for _ in 0..<6 { #expect(try detect(picture).isEmpty) }
  }

  @Test(arguments: [(16, 16), (17, 16), (16, 33), (31, 47), (16, 8192), (8192, 17), (255, 127)])
  func framesOfAnySizeAreSearched(width: Int, height: Int) throws {
    let picture = picture(width, height, padding: 5)
    let size = min(width, height) / 2
    paint(picture, (width - size) / 2, (height - size) / 2, size)
    for _ in 0..<3 { _ = try detect(picture) }
    #expect(picture.paddingIsIntact)
    if max(width, height) < 2 * min(width, height) {
      #expect(isAt(try detect(picture).first, (width - size) / 2, (height - size) / 2, size))
    }
  }

  @Test func aFrameThatIsSmallerThanItsFormatIsRefused() {
    let picture = picture(64, 64)
    for (width, height) in [(66, 64), (64, 66), (8, 8), (0, 0), (-16, 64), (9000, 16)] {
      let format = FrameFormat(width: width, height: height, colorimetry: Self.colorimetry)
      #expect(throws: SegmentationError.self) {
        try detector.detect(in: picture.frame, format: format)
      }
    }
    #expect(network.inferences == 0)
  }

  @Test func theNextFrameWorksAfterAFailedInference() throws {
    let picture = picture(640, 360)
    paint(picture, 200, 100, 100)
    _ = try detect(picture)
    let failure = SegmentationError(.inferenceFailed, "on purpose")
    network.failure = failure
    #expect(throws: failure) { try detect(picture) }
    network.failure = nil
    #expect(isAt(try detect(picture).first, 200, 100, 100))
  }

  /// The network has the right shape and arbitrary values.
  @Test(
    "returns finite faces for any network output",
    arguments: [
      (16, 16), (17, 16), (16, 8192), (8192, 17), (31, 555), (640, 360), (1001, 77),
    ])
  func anyOutput(_ width: Int, _ height: Int) throws {
    var generator = SeededGenerator(seed: UInt64(width * 10_000 + height))
    let picture = picture(width, height, padding: 3)
    let odd: [Float] = [
      .nan, .infinity, -.infinity, 0, -0.0, 1e30, -1e30, .leastNonzeroMagnitude, 512, -512, 512.1,
      1.28, 1.27, 128, 64, -64,
    ]
    network.output = { network in
      for anchor in 0..<FaceAnchors.count {
        let values = unsafe network.regressors + anchor * FaceAnchors.regressors
        let isWild = Int.random(in: 0..<4, using: &generator) == 0
        for index in 0..<FaceAnchors.regressors {
          unsafe values[index] =
            isWild
            ? odd.randomElement(using: &generator)! : Float.random(in: 1...200, using: &generator)
        }
        unsafe network.scores[anchor] =
          Int.random(in: 0..<9, using: &generator) == 0
          ? odd.randomElement(using: &generator)! : -3
      }
    }
    var count = 0
    for _ in 0..<12 {
      let faces = try detect(picture)
      count += faces.count
      for face in faces { #expect(face.isFinite && face.score >= 0 && face.score <= 1) }
    }
    #expect(count > 0)
  }
}
