import InferenceTypes
import PixelTypes

/// What a recurrent network remembers at one of its scales: two tensors, of which one inference reads
/// one and writes the other, and the next one the other way round.
///
/// Safety: owns the tensors; used on one thread at a time.
final class RecurrentState {
  /// The tensor that every other inference reads, from the first on.
  let even: FloatTensor
  /// The tensor that the inferences in between read.
  let odd: FloatTensor
  private let channels: Int, height: Int, width: Int
  /// Where each column of a moved state lies in the old one.
  private var columns: [(index: Int, weight: Float)]

  /// Makes the tensors of a state, NCHW.
  init(shape: [Int], library: OpenVINOLibrary) throws(SegmentationError) {
    even = try FloatTensor(shape: shape, library: library)
    odd = try FloatTensor(shape: shape, library: library)
    (channels, height, width) = (shape[1], shape[2], shape[3])
    columns = Array(repeating: (0, 0), count: width)
  }

  /// Nothing is remembered.
  func clear() {
    even.fill(0)
    odd.fill(0)
  }

  /// Fits the state to pictures that show the region `new` of a frame instead of `old`.
  ///
  /// `isNextEven` tells which tensor the next inference reads. Interpolated bilinearly; beyond the
  /// old region its edge goes on.
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
    // What the next inference reads stays where it is; the other tensor is written anew by it.
    unsafe read.data.update(from: written.data, count: read.count)
  }

  /// Where sample `i` of a new region lies among the samples of the old one.
  private static func position(
    _ i: Int, _ count: Int, _ old: Int, _ oldLength: Int, _ new: Int, _ newLength: Int
  ) -> (index: Int, weight: Float) {
    let pixel = Double(new) + (Double(i) + 0.5) / Double(count) * Double(newLength)
    let position = (pixel - Double(old)) / Double(oldLength) * Double(count) - 0.5
    let clamped = min(max(position, 0), Double(count - 1))
    return (Int(clamped), Float(clamped - clamped.rounded(.down)))
  }
}
