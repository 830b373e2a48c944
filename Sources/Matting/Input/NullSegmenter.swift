import PixelTypes

/// A placeholder without a network, for streams with mattes from masks only.
///
/// Its input has the size of the smallest network for wide frames, which determines the resolution
/// of the mattes.
package final class NullSegmenter: Segmenter {
  package let inputFormat = TensorFormat(width: 256, height: 144, layout: .planar, fit: .stretch)

  private lazy var tensor = Raster<Float>(
    width: 3 * inputFormat.width, height: inputFormat.height, filledWith: 0)

  package var inputTensor: UnsafeMutablePointer<Float> { unsafe tensor.base }

  package init() {}

  package func infer() throws(SegmentationError) -> RawMatte {
    throw SegmentationError(
      .modelNotFound, "no network is loaded; set the property model or install the models")
  }

  package func reset() {}
}
