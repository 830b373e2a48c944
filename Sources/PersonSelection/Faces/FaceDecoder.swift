import InferenceTypes

#if canImport(Glibc)
  import Glibc
#endif

/// Turns the network's output into faces in pixels of its input: one for each face that is seen.
///
/// Works in memory that is made beforehand. Used on one thread at a time.
struct FaceDecoder {
  /// What is seen, the surest first.
  private(set) var faces: [Face] = []

  private let anchors = FaceAnchors.points
  private var candidates: [Face] = []

  /// Boxes that share more than this mean the same face.
  static let sameFace: Float = 0.3
  /// Logits are cut off here, so that what they are scores for is a number.
  private static let greatestLogit: Float = 100
  /// Faces with other extents, or farther out of the picture, are none: in sides of the input.
  private static let sizes: ClosedRange<Float> = 0.01...4

  init() {
    candidates.reserveCapacity(FaceAnchors.count)
    faces.reserveCapacity(FaceAnchors.count)
  }

  /// Reads an output; what has a lower score than `threshold`, which lies between 0 and 1, is no
  /// face.
  ///
  /// Values that are no numbers count for nothing.
  mutating func decode(_ raw: RawFaces, threshold: Float) {
    candidates.removeAll(keepingCapacity: true)
    let least = logf(threshold / (1 - threshold))
    for index in anchors.indices {
      // Also false for what is no number.
      guard unsafe raw.scores[index] >= least else { continue }
      let logit = unsafe min(raw.scores[index], Self.greatestLogit)
      let values = unsafe raw.regressors + index * FaceAnchors.regressors
      if let face = unsafe Self.face(values, at: anchors[index], score: 1 / (1 + expf(-logit))) {
        candidates.append(face)
      }
    }
    suppress()
  }

  /// Moves what was found to where it is in the frame.
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

  /// The non-maximum suppression of BlazeFace, which blends: of all candidates for a face the
  /// surest one stays, put where their mean is, weighted by their scores.
  ///
  /// That keeps faces from trembling.
  private mutating func suppress() {
    faces.removeAll(keepingCapacity: true)
    while let best = candidates.indices.max(by: { candidates[$0].score < candidates[$1].score }) {
      let surest = candidates[best]
      var sum = surest.combined(surest) { _, _ in 0 }
      var total: Float = 0
      var kept = 0
      for index in candidates.indices {
        let candidate = candidates[index]
        if index == best || candidate.box.overlap(surest.box) > Self.sameFace {
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
