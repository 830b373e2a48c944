import InferenceTypes
import PixelTypes

/// A state of a recurrent network at one scale, double-buffered in two tensors.
///
/// Each inference reads one tensor and writes the other. The next inference swaps the tensors.
///
/// Safety: the object owns the tensors. It is not thread-safe.
final class RecurrentState {
  /// The tensor that every other inference reads, including the first.
  let even: FloatTensor
  /// The tensor that the other inferences read.
  let odd: FloatTensor
  private let channels: Int, height: Int, width: Int
  /// For each column of a moved state, the position in the old state.
  private var columns: [(index: Int, weight: Float)]

  /// Creates the tensors of a state with an NCHW shape.
  init(shape: [Int], library: OpenVINOLibrary) throws(SegmentationError) {
    even = try FloatTensor(shape: shape, library: library)
    odd = try FloatTensor(shape: shape, library: library)
    (channels, height, width) = (shape[1], shape[2], shape[3])
    columns = Array(repeating: (0, 0), count: width)
  }

  /// Clears both tensors.
  func clear() {
    even.fill(0)
    odd.fill(0)
  }

  /// Resamples the state when the crop of the frame changes from `old` to `new`.
  ///
  /// `isNextEven` is true if the next inference reads the even tensor. The interpolation is
  /// bilinear. Outside the old region, the values at its edge are repeated.
  func move(from old: PixelRegion, to new: PixelRegion, isNextEven: Bool) {
    let (read, written) = isNextEven ? (even, odd) : (odd, even)
    for x in 0..<width {
      columns[x] = Self.position(x, width, old.x, old.width, new.x, new.width)
    }
    for y in 0..<height {
      let (top, weight) = Self.position(y, height, old.y, old.height, new.y, new.height)
      let below = min(top + 1, height - 1)
      for channel in 0..<channels {
        let plane = unsafe read.data + channel * height * width
        let (upper, lower) = unsafe (plane + top * width, plane + below * width)
        let out = unsafe written.data + (channel * height + y) * width
        for x in 0..<width {
          let (left, share) = columns[x]
          let right = min(left + 1, width - 1)
          let above = unsafe upper[left] + (upper[right] - upper[left]) * share
          let under = unsafe lower[left] + (lower[right] - lower[left]) * share
          unsafe out[x] = above + (under - above) * weight
        }
      }
    }
    // The next inference still reads the same tensor, and overwrites the other one.
    unsafe read.data.update(from: written.data, count: read.count)
  }

  /// Returns the position of sample `i` of a new region among the samples of the old one.
  private static func position(
    _ i: Int, _ count: Int, _ old: Int, _ oldLength: Int, _ new: Int, _ newLength: Int
  ) -> (index: Int, weight: Float) {
    let pixel = Double(new) + (Double(i) + 0.5) / Double(count) * Double(newLength)
    let position = (pixel - Double(old)) / Double(oldLength) * Double(count) - 0.5
    let clamped = min(max(position, 0), Double(count - 1))
    return (Int(clamped), Float(clamped - clamped.rounded(.down)))
  }
}
