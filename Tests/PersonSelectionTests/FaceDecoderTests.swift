import Matting
import TestSupport
import Testing

@testable import PersonSelection

struct FaceDecoderTests {
  private let network = FakeFaceNetwork()
  private var decoder = FaceDecoder(count: FaceAnchors.count)

  private func box(_ x: Float, _ y: Float, _ width: Float) -> FaceBox {
    FaceBox(center: FacePoint(x: x, y: y), width: width, height: width)
  }

  private mutating func decode(threshold: Float = 0.5) -> [Face] {
    decoder.decode(network.raw, threshold: threshold)
    return decoder.faces
  }

  @Test("measures box and keypoints from the anchor")
  mutating func anchorOffsets() throws {
    // The cell at the fourth row and sixth column of the coarse layer: anchor at (88, 56).
    let anchor = 512 + 6 * (3 * 8 + 5)
    let values = unsafe network.regressors + anchor * FaceAnchors.regressors
    for index in 0..<FaceAnchors.regressors { unsafe values[index] = Float(index + 1) }
    unsafe network.scores[anchor] = 2
    let face = try #require(decode().first)
    #expect(decoder.faces.count == 1)
    let keypoints = FaceKeypoints(
      rightEye: FacePoint(x: 93, y: 62), leftEye: FacePoint(x: 95, y: 64),
      noseTip: FacePoint(x: 97, y: 66), mouth: FacePoint(x: 99, y: 68),
      rightEar: FacePoint(x: 101, y: 70), leftEar: FacePoint(x: 103, y: 72))
    let box = FaceBox(center: FacePoint(x: 89, y: 58), width: 3, height: 4)
    var greatest: Float = 0
    _ = face.combined(Face(box: box, keypoints: keypoints, score: 0)) { found, expected in
      greatest = max(greatest, abs((found - expected).x), abs((found - expected).y))
      return found
    }
    #expect(greatest < 1e-4)
    #expect(abs(face.score - 0.880797) < 1e-5)
    #expect(abs(face.roll - .pi / 4) < 1e-5)
  }

  @Test mutating func theThresholdIsAProbability() {
    network.put(box(20, 20, 20), anchor: 0, logit: 0.01)
    network.put(box(90, 90, 20), anchor: 600, logit: -0.01)
    #expect(decode().count == 1)
    #expect(decode(threshold: 0.49).count == 2)
    #expect(decode(threshold: 0.51).isEmpty)
  }

  @Test("blends boxes of the same face")
  mutating func blending() throws {
    // Scores of 0.8 and 0.5.
    network.put(box(60, 60, 40), anchor: 10, logit: 1.3862944)
    network.put(box(66, 60, 40), anchor: 700, logit: 0)
    let face = try #require(decode().first)
    #expect(decoder.faces.count == 1)
    #expect(abs(face.score - 0.8) < 1e-5)
    #expect(abs(face.box.center.x - (60 * 0.8 + 66 * 0.5) / 1.3) < 1e-3)
    #expect(abs(face.keypoints.leftEye.x - ((70 * 0.8 + 76 * 0.5) / 1.3)) < 1e-3)
    #expect(abs(face.box.width - 40) < 1e-3)
  }

  @Test mutating func facesSideBySideStayApart() {
    network.put(box(40, 60, 40), anchor: 10, logit: 1)
    network.put(box(70, 60, 40), anchor: 11, logit: 3)
    network.put(box(100, 60, 40), anchor: 12, logit: 2)
    // Each shares a seventh with the next one.
    #expect(decode().map { $0.box.center.x.rounded() } == [70, 100, 40])
  }

  @Test("decodes a separate face at every anchor")
  mutating func everyAnchor() {
    for anchor in 0..<FaceAnchors.count {
      let place = Float(anchor)
      network.put(
        box(place.truncatingRemainder(dividingBy: 30) * 4, place / 30 * 4, 3), anchor: anchor,
        logit: place / 100)
    }
    #expect(decode().count == FaceAnchors.count)
  }

  @Test(
    "rejects a face with a regressor that is extreme or not finite",
    arguments: [Float.nan, .infinity, -.infinity, 1e38, -1e38])
  mutating func extremeRegressors(value: Float) {
    network.put(box(64, 64, 30), anchor: 5, logit: 2)
    for index in 0..<FaceAnchors.regressors {
      let values = unsafe network.regressors + 7 * FaceAnchors.regressors
      network.put(box(20, 20, 30), anchor: 7, logit: 4)
      unsafe values[index] = value
      #expect(decode().map(\.box.center.x) == [64])
    }
  }

  @Test("accepts any score, and treats NaN as no face")
  mutating func anyScore() {
    network.put(box(64, 64, 30), anchor: 5, logit: .nan)
    #expect(decode().isEmpty)
    unsafe network.scores[5] = -.infinity
    #expect(decode().isEmpty)
    for logit in [Float.infinity, 1e30, 101] {
      unsafe network.scores[5] = logit
      #expect(decode().map(\.score) == [1])
    }
  }

  @Test(arguments: [Float(0), -10, 1, 600]) mutating func absurdSizesAreIgnored(size: Float) {
    network.put(
      FaceBox(center: FacePoint(x: 64, y: 64), width: size, height: 30), anchor: 5, logit: 2)
    #expect(decode().isEmpty)
    network.put(
      FaceBox(center: FacePoint(x: 64, y: 64), width: 30, height: size), anchor: 5, logit: 2)
    #expect(decode().isEmpty)
  }
}
