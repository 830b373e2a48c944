import PixelTypes

/// Fills a network's input tensor from any part of a frame.
///
/// It is used for networks that process several parts of each frame.
///
/// Not thread-safe. Memory for a reduction is allocated when a part first needs it.
package final class ViewPreparation {
  /// The part of the tensor that the picture covers, in pixels, with black everywhere else.
  ///
  /// With `.letterbox` a part must have the proportions of the frame.
  package var region: PixelRegion { preparation.region }

  private let format: FrameFormat
  private let preparation: TensorPreparation
  private var reductions: [ReducedFrame?]

  package init(format: FrameFormat, tensor: TensorFormat) {
    self.format = format
    preparation = TensorPreparation(format: format, minShift: 0, tensor: tensor)
    reductions = Array(repeating: nil, count: BoxReducer.maxShift + 1)
  }

  /// Fills the tensor with `part` of a frame.
  ///
  /// At least one pixel of `part` must be within the frame. Beyond the frame, its edge is repeated.
  package func fill(
    _ tensor: UnsafeMutablePointer<Float>, with part: PixelRegion, of frame: Frame
  ) {
    let shift = ReducedFrame.shift(for: part, covering: (region.width, region.height))
    let reduction = reductions[shift] ?? ReducedFrame(format: format, shift: shift, bands: .single)
    reductions[shift] = reduction
    let (x, y) = (max(part.x, 0), max(part.y, 0))
    let within = PixelRegion(
      x: x, y: y, width: min(part.endX, format.width) - x,
      height: min(part.endY, format.height) - y)
    unsafe preparation.fill(
      tensor, with: part, of: reduction.reduce(frame, part: within), shift: shift)
  }
}
