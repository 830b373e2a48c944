import Glibc
import InferenceTypes
import PixelTypes

/// Decodes the network's output into faces in pixels of its input, one per visible face.
///
/// Allocates only in `init`. Not thread-safe.
struct FaceDecoder {
  /// The detected faces, the highest score first.
  private(set) var faces: [Face] = []

  private let anchors = FaceAnchors.points
  private var candidates: [Face] = []

  /// Boxes that overlap more than this belong to the same face.
  static let sameFace: Float = 0.3
  /// The maximum logit, so that its score stays finite.
  private static let maxLogit: Float = 100
  /// The valid extents of a face in sides of the input, and the maximum distance from its anchor.
  private static let sizes: ClosedRange<Float> = 0.01...4

  init() {
    candidates.reserveCapacity(FaceAnchors.count)
    faces.reserveCapacity(FaceAnchors.count)
  }

  /// Reads an output, and ignores scores below `threshold`, a number between 0 and 1.
  ///
  /// Values that are not numbers are ignored.
  mutating func decode(_ raw: RawFaces, threshold: Float) {
    candidates.removeAll(keepingCapacity: true)
    let minLogit = logf(threshold / (1 - threshold))
    for index in anchors.indices {
      // Also false for NaN.
      guard unsafe raw.scores[index] >= minLogit else { continue }
      let logit = unsafe min(raw.scores[index], Self.maxLogit)
      let values = unsafe raw.regressors + index * FaceAnchors.regressors
      if let face = unsafe Self.face(values, at: anchors[index], score: 1 / (1 + expf(-logit))) {
        candidates.append(face)
      }
    }
    suppress()
  }

  /// Converts the detected faces to positions in the frame.
  mutating func place(scaleX: Float, scaleY: Float, x: Float, y: Float) {
    for index in faces.indices {
      faces[index] = faces[index].placed(scaleX: scaleX, scaleY: scaleY, x: x, y: y)
    }
  }

  private static func face(
    _ values: UnsafePointer<Float>, at anchor: FacePoint, score: Float
  ) -> Face? {
    let side = Float(FaceAnchors.inputSize)
    for index in 0..<FaceAnchors.regressors
    where unsafe !(abs(values[index]) <= side * sizes.upperBound) { return nil }
    func point(_ index: Int) -> FacePoint {
      unsafe FacePoint(x: values[index] + anchor.x, y: values[index + 1] + anchor.y)
    }
    let (width, height) = unsafe (values[2], values[3])
    guard sizes.contains(width / side), sizes.contains(height / side) else { return nil }
    return Face(
      box: FaceBox(center: point(0), width: width, height: height),
      keypoints: FaceKeypoints(
        rightEye: point(4), leftEye: point(6), noseTip: point(8), mouth: point(10),
        rightEar: point(12), leftEar: point(14)),
      score: score)
  }

  /// Applies the blending non-maximum suppression of BlazeFace.
  ///
  /// The candidate with the highest score for a face gets the mean position of all its candidates,
  /// weighted by their scores. This keeps faces from jittering.
  private mutating func suppress() {
    faces.removeAll(keepingCapacity: true)
    while let best = candidates.indices.max(by: { candidates[$0].score < candidates[$1].score }) {
      let bestFace = candidates[best]
      var sum = bestFace.combined(bestFace) { _, _ in 0 }
      var total: Float = 0
      var kept = 0
      for index in candidates.indices {
        let candidate = candidates[index]
        if index == best || candidate.box.overlap(bestFace.box) > Self.sameFace {
          sum = sum.combined(candidate) { $0 + $1 * candidate.score }
          total += candidate.score
        } else {
          candidates[kept] = candidate
          kept += 1
        }
      }
      candidates.removeLast(candidates.count - kept)
      faces.append(sum.combined(sum) { value, _ in value / total })
    }
  }
}

extension FaceAnchors {
  /// The anchors in the order of the network's output, in pixels of its input.
  static let points: [FacePoint] = layers.flatMap { layer in
    let step = Float(inputSize / layer.cells)
    return (0..<layer.cells * layer.cells * layer.perCell).map { index in
      let cell = index / layer.perCell
      return FacePoint(
        x: (Float(cell % layer.cells) + 0.5) * step, y: (Float(cell / layer.cells) + 0.5) * step)
    }
  }

  /// The input format of the short-range BlazeFace, with or without the picture's proportions.
  package static func inputFormat(_ fit: TensorFormat.Fit) -> TensorFormat {
    TensorFormat(
      width: FaceAnchors.inputSize, height: FaceAnchors.inputSize, layout: .interleaved, fit: fit,
      range: SampleRange(low: -1, high: 1))
  }
}
