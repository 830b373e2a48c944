import InferenceTypes
import PixelTypes

/// A state of a recurrent network at one scale, in two tensors.
///
/// Each inference reads one tensor and writes the other. The next one swaps them.
///
/// Safety: owns the tensors. One thread at a time uses this object.
final class RecurrentState {
  /// The tensor that every other inference reads, including the first.
  let even: FloatTensor
  /// The tensor that the other inferences read.
  let odd: FloatTensor
  private let channels: Int, height: Int, width: Int
  /// The position of each column of a moved state in the old one.
  private var columns: [(index: Int, weight: Float)]

  /// Creates the tensors of a state, NCHW.
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

  /// Resamples the state for pictures of the region `new` of a frame instead of `old`.
  ///
  /// The next inference reads the even tensor if `isNextEven`. The interpolation is bilinear.
  /// Beyond the old region its edge is repeated.
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
