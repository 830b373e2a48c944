import Glibc
import PersonSelection
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// The face of the sample person.
@Suite(
  .enabled(
    if: Sample.isReady && Sample.has("face_detection_short_range.tflite"),
    "sample pictures or networks are not set up"))
struct FaceTests {
  /// The face in the landscape framing, measured in the picture.
  ///
  /// It is bounded by the cheeks, the chin, and the hairline beneath the fringe.
  private static let truth = (left: 452, right: 668, top: 165, chin: 447)

  private func picture(
    turnedBy degrees: Double = 0, shrunkBy scale: Double = 1
  ) throws -> TestPicture {
    let source = try Sample.person.picture(.landscape)
    let target = TestPicture(format: source.format, (128, 128, 128))
    // The picture turns around the centre of the face.
    let (middleX, middleY) = (560.0, 310.0)
    let (cosine, sine) = (cos(degrees * .pi / 180) / scale, sin(degrees * .pi / 180) / scale)
    for y in 0..<target.format.height {
      for x in 0..<target.format.width {
        let (dx, dy) = (Double(x) - middleX, Double(y) - middleY)
        let fromX = Int((middleX + cosine * dx + sine * dy).rounded())
        let fromY = Int((middleY - sine * dx + cosine * dy).rounded())
        copy(fromX, fromY, of: source, to: target, x, y)
      }
    }
    return target
  }

  /// Copies a pixel if the source contains it.
  private func copy(
    _ fromX: Int, _ fromY: Int, of source: TestPicture, to target: TestPicture, _ x: Int, _ y: Int
  ) {
    guard 0..<source.format.width ~= fromX, 0..<source.format.height ~= fromY else { return }
    unsafe target.frame.luma.row(y)[x] = source.frame.luma.row(fromY)[fromX]
    guard x % 2 == 0, y % 2 == 0 else { return }
    let chroma = source.chroma(fromX, fromY)
    unsafe target.frame.chroma.row(y / 2)[x] = UInt8(chroma.cb)
    unsafe target.frame.chroma.row(y / 2)[x + 1] = UInt8(chroma.cr)
  }

  /// Returns the only face after `looks` searches in a picture.
  private func face(in picture: TestPicture, looks: Int = 1) throws -> Face {
    let detector = try FaceDetector()
    var faces: [Face] = []
    for _ in 0..<looks {
      faces = try detector.detect(in: picture.frame, format: picture.format)
    }
    #expect(faces.count == 1)
    return try #require(faces.first)
  }

  @Test func theFaceIsFoundWhereItIs() throws {
    let face = try face(in: picture())
    let truth = Self.truth
    let width = Float(truth.right - truth.left)
    #expect(face.score > 0.9)
    #expect(abs(face.box.center.x - Float(truth.left + truth.right) / 2) < 0.1 * width)
    #expect(abs(face.box.center.y - Float(truth.top + truth.chin) / 2) < 0.15 * width)
    #expect(0.8...1.25 ~= face.box.width / width)
    #expect(abs(face.roll) < 8 * .pi / 180)
    let points = face.keypoints
    #expect(points.rightEye.x < points.noseTip.x && points.noseTip.x < points.leftEye.x)
    #expect(points.leftEye.y < points.noseTip.y && points.noseTip.y < points.mouth.y)
    #expect(points.rightEar.x < points.rightEye.x && points.leftEye.x < points.leftEar.x)
  }

  @Test(arguments: [-20.0, 20, 35]) func rollIsTheLeanOfTheHead(degrees: Double) throws {
    let upright = try face(in: picture())
    let turned = try face(in: picture(turnedBy: degrees))
    let difference = Double(turned.roll - upright.roll) * 180 / .pi
    #expect(abs(difference - degrees) < 6)
    #expect(abs(turned.box.center.x - upright.box.center.x) < 0.15 * upright.box.width)
    #expect(abs(turned.box.center.y - upright.box.center.y) < 0.15 * upright.box.width)
  }

  @Test(arguments: [0.5, 0.3, 0.2]) func aDistantFaceIsFound(scale: Double) throws {
    let upright = try face(in: picture())
    let small = try face(in: picture(shrunkBy: scale), looks: 12)
    #expect(abs(Double(small.box.width / upright.box.width) - scale) < 0.15 * scale)
    #expect(abs(small.box.center.x - 560) < 0.2 * small.box.width)
  }

  /// A fifth to a third of the face is outside the left, right, upper or lower edge.
  ///
  /// The visible parts score at least 0.79 in the first search, which needs 0.75, and at least 0.81
  /// in later ones, which need 0.5. A face with a third outside the right edge scores 0.73 in
  /// float32, which is too close to test.
  @Test(arguments: [
    PixelRegion(x: 500, y: 0, width: 780, height: 720),
    PixelRegion(x: 0, y: 0, width: 628, height: 720),
    PixelRegion(x: 0, y: 236, width: 1280, height: 484),
    PixelRegion(x: 0, y: 0, width: 1280, height: 362),
  ])
  func aFaceCutByTheEdgeOfTheFrameIsFoundToo(part: PixelRegion) throws {
    let upright = try face(in: picture())
    let picture = try picture()
    let (luma, chroma) = (picture.frame.luma, picture.frame.chroma)
    let frame = unsafe Frame(
      luma: Plane(
        base: luma.row(part.y) + part.x, width: part.width, height: part.height,
        stride: luma.stride),
      chroma: Plane(
        base: chroma.row(part.y / 2) + part.x, width: part.width, height: part.height / 2,
        stride: chroma.stride))
    let format = FrameFormat(
      width: part.width, height: part.height, colorimetry: picture.format.colorimetry)
    let detector = try FaceDetector()
    var boxes: [FaceBox] = []
    for _ in 0..<10 {
      let faces = try detector.detect(in: frame, format: format)
      #expect(faces.count == 1)
      boxes += faces.map(\.box)
    }
    // The position beyond the edge is estimated and must stay stable.
    for box in boxes {
      let (x, y) = (box.center.x + Float(part.x), box.center.y + Float(part.y))
      #expect(abs(x - upright.box.center.x) < 0.3 * upright.box.width)
      #expect(abs(y - upright.box.center.y) < 0.3 * upright.box.height)
    }
    withExtendedLifetime(picture) {}
  }

  @Test func theFaceIsFoundInPortraitFrames() throws {
    let face = try face(in: Sample.person.picture(.portrait))
    #expect(face.score > 0.9 && face.box.center.y < 640)
  }

  @Test func theSkyHasNoFace() throws {
    let detector = try FaceDetector()
    let picture = try Sample.sky.picture(.landscape)
    for _ in 0..<20 {
      #expect(try detector.detect(in: picture.frame, format: picture.format).isEmpty)
    }
  }

  /// Returns the sample person, with a second copy behind the left cheek.
  ///
  /// Only the half to the left of `edge` is visible.
  private func pictureWithHalfAFace(edge: Int, y middle: Int, scale: Double) throws -> TestPicture {
    let source = try Sample.person.picture(.landscape)
    let picture = try picture()
    for y in 0..<720 {
      for x in 0..<edge {
        let (dx, dy) = (Double(x - edge) / scale, Double(y - middle) / scale)
        // An ellipse that roughly matches her hair.
        guard (dx / 190) * (dx / 190) + (dy / 230) * (dy / 230) < 1 else { continue }
        let (fromX, fromY) = (560 + Int(dx), 306 + Int(dy))
        copy(fromX, fromY, of: source, to: picture, x, y)
      }
    }
    return picture
  }

  /// Returns the faces of the last frame after `frames` equal frames.
  private func found(in picture: TestPicture, frames: Int) throws -> [Face] {
    let finder = TwoNetworkFaceFinder(try FaceDetector(), halfHidden: try HalfHiddenFaces())
    var faces: [Face] = []
    for frame in 0..<frames {
      faces = try finder.find(
        in: picture.frame, format: picture.format, at: UInt64(frame) * 33_000_000,
        isShown: { _, _ in true })
    }
    return faces
  }

  /// In float32 and bfloat16, the found centers are within 0.2 of the width.
  ///
  /// At (445, 330), the error is 0.28 in float32 and 0.3 in bfloat16, which is too close to test.
  @Test(arguments: [(415, 290), (425, 300)]) func halfAFaceBehindAnotherIsFound(
    edge: Int, y: Int
  ) throws {
    let scale = 0.7
    let picture = try pictureWithHalfAFace(edge: edge, y: y, scale: scale)
    // BlazeFace alone does not find the half face.
    _ = try face(in: picture, looks: 10)
    let faces = try found(in: picture, frames: 6)
    #expect(faces.count == 2)
    let half = try #require(faces.last)
    let center = half.box.center
    let width = Float(scale) * Float(Self.truth.right - Self.truth.left)
    #expect(abs(center.x - Float(edge)) < 0.3 * width && abs(center.y - Float(y)) < 0.3 * width)
    #expect(0.6...1.3 ~= half.box.width / width)
  }

  @Test func noOtherFaceIsFoundNextToAPersonAlone() throws {
    #expect(try found(in: picture(), frames: 120).count == 1)
    #expect(try found(in: Sample.person.picture(.portrait), frames: 120).count == 1)
  }
}
