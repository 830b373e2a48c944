import InferenceTypes

/// Takes what is red in its input for a face, if all of it is in the patch and near the middle.
@safe final class FakePatchNetwork: FacePatchNetwork {
  static let side = FacePatch.inputSize

  let inputTensor: UnsafeMutablePointer<Float>
  /// Thrown by `judge` while it is set.
  var failure: SegmentationError?
  /// Given instead of a look at the input, while it is set.
  var output: FacePatch?
  /// How sure it is of a face.
  var score: Float = 0.99

  init() {
    unsafe inputTensor = .allocate(capacity: 3 * Self.side * Self.side)
    unsafe inputTensor.initialize(repeating: 0, count: 3 * Self.side * Self.side)
  }

  deinit {
    unsafe inputTensor.deallocate()
  }

  func judge() throws(SegmentationError) -> FacePatch {
    if let failure { throw failure }
    if let output { return output }
    var (left, right, top, bottom) = (Self.side, 0, Self.side, 0)
    let count = Self.side * Self.side
    for y in 0..<Self.side {
      for x in 0..<Self.side {
        let pixel = unsafe inputTensor + y * Self.side + x
        guard unsafe pixel[0] > pixel[count] + 0.6, unsafe pixel[0] > pixel[2 * count] + 0.6
        else { continue }
        (left, right) = (min(left, x), max(right, x + 1))
        (top, bottom) = (min(top, y), max(bottom, y + 1))
      }
    }
    let middle = Float(left + right) / 2 / Float(Self.side)
    let isFace =
      left > 0 && top > 0 && right < Self.side && bottom < Self.side
      && right - left > Self.side / 3 && 0.3...0.7 ~= middle
    func edge(_ pixel: Int) -> Float { Float(pixel) / Float(Self.side) }
    return FacePatch(
      score: isFace ? score : 0.05, left: edge(left), top: edge(top), right: edge(right),
      bottom: edge(bottom))
  }
}
