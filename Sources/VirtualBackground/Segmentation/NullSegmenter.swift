import InferenceTypes
import PixelTypes

/// Used without a network, so that masks from upstream can be made into mattes.
///
/// Its input is as large as that of the smallest network for wide frames: that decides how fine the
/// mattes are.
final class NullSegmenter: Segmenter {
  let inputFormat = TensorFormat(width: 256, height: 144, layout: .planar, fit: .stretch)

  private lazy var tensor = Raster<Float>(
    width: 3 * inputFormat.width, height: inputFormat.height, filledWith: 0)

  var inputTensor: UnsafeMutablePointer<Float> { unsafe tensor.base }

  func infer() throws(SegmentationError) -> RawMatte {
    throw SegmentationError(
      .modelNotFound, "no network is loaded; set the property model or install the models")
  }

  func reset() {}
}
