import Matting
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
  private let channels: Int, area: Int
  private let scaler: BilinearScaler

  init(shape: [Int], library: OpenVINOLibrary) throws(SegmentationError) {
    even = try FloatTensor(shape: shape, library: library)
    odd = try FloatTensor(shape: shape, library: library)
    channels = shape[1]
    area = shape[2] * shape[3]
    scaler = BilinearScaler(
      fromWidth: shape[3], fromHeight: shape[2], toWidth: shape[3], toHeight: shape[2])
  }

  /// Clears both tensors.
  func clear() {
    even.fill(0)
    odd.fill(0)
  }

  /// Resamples the state when the crop of the frame changes from `old` to `new`.
  ///
  /// `isNextEven` is true if the next inference reads the even tensor.
  func move(from old: PixelRegion, to new: PixelRegion, isNextEven: Bool) {
    let (read, written) = isNextEven ? (even, odd) : (odd, even)
    scaler.move(from: old, to: new)
    for plane in stride(from: 0, to: channels * area, by: area) {
      unsafe scaler.scale(read.data + plane, into: written.data + plane)
    }
    // The next inference still reads the same tensor, and overwrites the other one.
    unsafe read.data.update(from: written.data, count: read.count)
  }
}
