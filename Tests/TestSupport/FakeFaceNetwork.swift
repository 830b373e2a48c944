import Matting

@testable import PersonSelection

/// Reports red and blue areas of its input as faces.
@safe package final class FakeFaceNetwork: FaceNetwork {
  package static let side = FaceAnchors.inputSize

  private let memory = (
    input: ExactMemory<Float>(3 * FakeFaceNetwork.side * FakeFaceNetwork.side, filledWith: 0),
    regressors: ExactMemory<Float>(FaceAnchors.count * FaceAnchors.regressors, filledWith: 0),
    scores: ExactMemory<Float>(FaceAnchors.count, filledWith: -100)
  )
  /// Thrown by `infer` while it is set.
  package var failure: SegmentationError?
  /// Fills the output instead of looking at the input, while it is set.
  package var output: ((FakeFaceNetwork) -> Void)?
  /// The minimum size of a face, in pixels of the input.
  package var leastSize: Float = 10
  /// The channels whose colour represents a face.
  package var channels = [0, 2]
  package private(set) var inferences = 0

  package init() {}

  package var inputTensor: UnsafeMutablePointer<Float> { unsafe memory.input.base }
  package var regressors: UnsafeMutablePointer<Float> { unsafe memory.regressors.base }
  package var scores: UnsafeMutablePointer<Float> { unsafe memory.scores.base }
  package var raw: RawFaces { unsafe RawFaces(regressors: regressors, scores: scores) }

  package func infer() throws(SegmentationError) -> RawFaces {
    inferences += 1
    if let failure { throw failure }
    clear()
    if let output {
      output(self)
    } else {
      for channel in channels { find(channel: channel) }
    }
    return raw
  }

  /// Removes all faces from the output.
  package func clear() {
    unsafe scores.update(repeating: -100, count: FaceAnchors.count)
  }

  /// Puts a face at an anchor.
  ///
  /// The box is in pixels of the input. The eyes are level, the other keypoints at its centre.
  package func put(_ box: FaceBox, anchor: Int, logit: Float) {
    let point = FaceAnchors.points[anchor]
    let (x, y) = (box.center.x - point.x, box.center.y - point.y)
    let values = unsafe regressors + anchor * FaceAnchors.regressors
    // Without an array, because tests count allocations.
    for index in stride(from: 0, to: FaceAnchors.regressors, by: 2) {
      unsafe (values[index], values[index + 1]) = (x, y)
    }
    unsafe (values[2], values[3]) = (box.width, box.height)
    unsafe (values[4], values[6]) = (x - box.width / 4, x + box.width / 4)
    unsafe scores[anchor] = logit
  }

  /// Finds the area that has much of one colour and little of the others.
  private func find(channel: Int) {
    var (left, right, top, bottom) = (Self.side, -1, Self.side, -1)
    for y in 0..<Self.side {
      for x in 0..<Self.side {
        let pixel = unsafe inputTensor + 3 * (y * Self.side + x)
        guard unsafe pixel[channel] > pixel[2 - channel] + 0.6,
          unsafe pixel[channel] > pixel[1] + 0.6
        else { continue }
        (left, right) = (min(left, x), max(right, x))
        (top, bottom) = (min(top, y), max(bottom, y))
      }
    }
    guard right >= left else { return }
    let (width, height) = (Float(right + 1 - left), Float(bottom + 1 - top))
    guard width >= leastSize, height >= leastSize else { return }
    put(
      FaceBox(
        center: FacePoint(x: Float(left) + width / 2, y: Float(top) + height / 2), width: width,
        height: height),
      anchor: channel * 100, logit: 3)
  }
}

/// Returns a face with level eyes.
package func face(_ x: Float, _ y: Float, width: Float = 100, score: Float = 0.9) -> Face {
  let middle = FacePoint(x: x, y: y)
  return Face(
    box: FaceBox(center: middle, width: width, height: width),
    keypoints: FaceKeypoints(
      rightEye: FacePoint(x: x - width / 4, y: y), leftEye: FacePoint(x: x + width / 4, y: y),
      noseTip: middle, mouth: middle, rightEar: middle, leftEar: middle),
    score: score)
}
