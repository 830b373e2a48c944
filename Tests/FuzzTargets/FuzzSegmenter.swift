import Matting
import TestSupport

/// A network that has any input format, and returns any numbers regardless of the picture.
///
/// Not thread-safe.
@safe final class FuzzSegmenter: Segmenter {
  let inputFormat: TensorFormat
  let edge: MatteEdge
  let remembersPast: Bool
  // This object owns both pointers. The protocol specifies their sizes.
  private let picture: ExactMemory<Float>
  private var matte: ExactMemory<Float>
  private var size: (width: Int, height: Int)
  private var fails = false

  var inputTensor: UnsafeMutablePointer<Float> { unsafe picture.base }

  init(_ input: inout FuzzInput) {
    var format = TensorFormat(
      width: input.integer(in: 1...40), height: input.integer(in: 1...40),
      layout: input.choice([.planar, .interleaved]), fit: input.choice([.stretch, .letterbox]),
      filter: input.choice([.triangle, .lanczos]))
    format.order = input.choice([.rgb, .bgr])
    inputFormat = format
    edge = input.choice([.approximate, .exact])
    remembersPast = input.flag()
    size = (format.width, format.height)
    picture = ExactMemory(Array(repeating: 0, count: 3 * format.width * format.height))
    matte = ExactMemory(Array(repeating: 0, count: format.width * format.height))
  }

  /// Chooses the output of the next inferences.
  func prepare(_ input: inout FuzzInput) {
    fails = input.flag(onceIn: 12)
    size = (inputFormat.width, inputFormat.height)
    if input.flag(onceIn: 12) { size.width += 1 }
    let count = size.width * size.height
    switch input.integer(in: 0...3) {
    case 0: matte = ExactMemory(Array(repeating: 0, count: count))
    case 1:
      // A rectangle represents a person.
      let (left, right) = (input.integer(in: 0...size.width), input.integer(in: 0...size.width))
      let top = input.integer(in: 0...size.height)
      matte = ExactMemory(
        (0..<count).map {
          $0 / size.width >= top && $0 % size.width >= left && $0 % size.width < right ? 1 : 0
        })
    default: matte = ExactMemory(input.floats(count))
    }
  }

  /// Whether any value of the output counts as a person.
  var findsSomebody: Bool { matte.samples.contains { $0 > 0 } }

  func infer() throws(SegmentationError) -> RawMatte {
    if fails { throw SegmentationError(.inferenceFailed, "fuzzed failure") }
    return unsafe RawMatte(base: matte.base, width: size.width, height: size.height)
  }

  func reset() {}
}
