import InferenceTypes
import PixelTypes

/// Used without a network, so that masks from upstream can be made into mattes.
///
/// Its input is as large as that of the smallest network for wide frames: that decides how fine the
/// mattes are.
package final class NullSegmenter: Segmenter {
  package let inputFormat = TensorFormat(width: 256, height: 144, layout: .planar, fit: .stretch)

  private lazy var tensor = Raster<Float>(
    width: 3 * inputFormat.width, height: inputFormat.height, filledWith: 0)

  package var inputTensor: UnsafeMutablePointer<Float> { unsafe tensor.base }

  /// Makes one.
  package init() {}

  package func infer() throws(SegmentationError) -> RawMatte {
    throw SegmentationError(
      .modelNotFound, "no network is loaded; set the property model or install the models")
  }

  package func reset() {}
}
