import PixelTypes
import Processor

/// Fills a network's input tensor from a part of a reduced frame.
///
/// The part is scaled with anti-aliasing and converted to RGB with the frame's colorimetry. It is
/// filtered vertically first, over the whole width, because that vectorises. Then each resulting
/// row is filtered horizontally.
final class TensorPreparation {
  /// The part of the tensor that the picture covers, with black everywhere else.
  let region: PixelRegion

  private let format: FrameFormat
  private let tensor: TensorFormat
  private let coefficients: RGBCoefficients
  /// The averaging of luma, or nil for networks whose normal filter is a triangle filter.
  private let lumaAveraging: Averaging?
  private let lumaColumns: AxisFilter, lumaRows: AxisFilter
  private let chromaColumns: AxisFilter, chromaRows: AxisFilter
  private let lumaSums: Raster<Float>, chromaSums: Raster<Float>
  private let filtered: Raster<Float>
  private var target: (part: PixelRegion, shift: Int, darkness: Double)?
  /// The columns of luma and chroma that the filters read.
  private var lumaPart = 0..<1, chromaPart = 0..<1

  /// A wide triangle filter against the noise of dark frames.
  ///
  /// The values were found with `meson-helper/evaluate` on dark copies of six sets of 22 people.
  /// The networks need finer detail in luma than in chroma, but are equally sensitive to noise in
  /// both.
  private struct Averaging {
    /// The triangle's reach to each side in samples of the frame.
    let reach: Double
    /// The maximum reach in steps of the tensor, to avoid blurring small people.
    let maxSteps: Double

    static let luma = Averaging(reach: 3, maxSteps: 1.5)
    static let chroma = Averaging(reach: 6, maxSteps: 4)

    /// The minimum ratio between the reach of this filter and the reach of the normal filter.
    static let minGain = 1.1

    /// Returns the reach to each side, in samples of the reduced frame.
    ///
    /// A sample of the reduced frame is the mean of `block` by `block` samples of the frame.
    /// `scale` is the distance between two samples of the tensor, in samples of the reduced frame.
    /// Returns nil if the normal filter averages almost as many samples.
    func reach(scale: Double, block: Int, darkness: Double) -> Double? {
      let reach = min(darkness * reach / Double(block), max(scale, 1) * maxSteps)
      return reach > max(scale, 1) * Self.minGain ? reach : nil
    }
  }

  /// Allocates memory for frames of `format` that are reduced by at least `1 << minShift`.
  init(format: FrameFormat, minShift: Int, tensor: TensorFormat) {
    (self.format, self.tensor) = (format, tensor)
    region = Self.region(of: tensor, for: format)
    coefficients = RGBCoefficients(
      format.colorimetry, red: tensor.red, green: tensor.green, blue: tensor.blue)

    let lumaAveraging = tensor.filter == .triangle ? nil : Averaging.luma
    self.lumaAveraging = lumaAveraging
    func filter(_ count: Int, _ size: Int, _ step: Int) -> AxisFilter {
      // Only luma needs a sharp filter, because it contains the detail.
      let sourceCount = BoxReducer.reduced((size + step - 1) / step, shift: minShift)
      let scale = Double(sourceCount) / Double(count)
      let averaging = step == 1 ? lumaAveraging : .chroma
      return AxisFilter(
        count: count, maxScale: scale,
        maxReach: averaging?.reach(scale: scale, block: 1 << minShift, darkness: 1) ?? 0,
        sourceCount: sourceCount, kind: step == 1 ? tensor.filter : .triangle,
        tapsAtOnce: step == 1 ? 4 : 2)
    }
    lumaColumns = filter(region.width, format.width, 1)
    lumaRows = filter(region.height, format.height, 1)
    chromaColumns = filter(region.width, format.width, 2)
    chromaRows = filter(region.height, format.height, 2)
    let lumaWidth = BoxReducer.reduced(format.width, shift: minShift)
    let chromaWidth = BoxReducer.reduced(format.chromaWidth, shift: minShift)
    lumaSums = Raster(width: lumaWidth, height: 1, filledWith: 0)
    chromaSums = Raster(width: 2 * chromaWidth, height: 1, filledWith: 0)
    filtered = Raster(width: region.width, height: 3, filledWith: 0)
  }

  /// Sets the part of the frame to read, in pixels.
  ///
  /// The frame is reduced by `1 << shift`. The higher its `darkness`, the more samples are
  /// averaged. Beyond the frame, its edge is repeated.
  private func setRegion(_ part: PixelRegion, shift: Int, darkness: Double) {
    if let target, target == (part, shift, darkness) { return }
    target = (part, shift, darkness)
    // `first`, `length` and `size` are in pixels, and the filter is in samples of the reduced
    // frame. The last block may extend beyond the frame.
    func updateTaps(
      _ filter: AxisFilter, _ first: Int, _ length: Int, _ size: Int, _ step: Int
    ) -> Range<Int> {
      let block = Double(step << shift)
      let last = BoxReducer.reduced((size + step - 1) / step, shift: shift)
      let begin = max(first, 0) / (step << shift)
      let end = min(max((first + length + (step << shift) - 1) / (step << shift), begin + 1), last)
      let scale = Double(length) / block / Double(filter.starts.width)
      let averaging = step == 1 ? lumaAveraging : .chroma
      filter.updateTaps(
        origin: Double(first) / block, scale: scale,
        reach: averaging?.reach(scale: scale, block: 1 << shift, darkness: darkness),
        part: begin..<end)
      return begin..<end
    }
    lumaPart = updateTaps(lumaColumns, part.x, part.width, format.width, 1)
    chromaPart = updateTaps(chromaColumns, part.x, part.width, format.width, 2)
    _ = updateTaps(lumaRows, part.y, part.height, format.height, 1)
    _ = updateTaps(chromaRows, part.y, part.height, format.height, 2)
  }

  /// Returns the part of the tensor that a picture of `format` covers.
  static func region(of tensor: TensorFormat, for format: FrameFormat) -> PixelRegion {
    guard tensor.fit == .letterbox else {
      return PixelRegion(x: 0, y: 0, width: tensor.width, height: tensor.height)
    }
    let scale = min(
      Double(tensor.width) / Double(format.width), Double(tensor.height) / Double(format.height))
    let width = min(max(Int((Double(format.width) * scale).rounded()), 1), tensor.width)
    let height = min(max(Int((Double(format.height) * scale).rounded()), 1), tensor.height)
    return PixelRegion(
      x: (tensor.width - width) / 2, y: (tensor.height - height) / 2, width: width, height: height)
  }

  /// Fills the tensor with `part` of a frame that is reduced by `1 << shift`.
  ///
  /// An `exposure` brightens dark frames and reduces their noise.
  func fill(
    _ out: UnsafeMutablePointer<Float>, with part: PixelRegion, of reduced: Frame, shift: Int,
    exposure: LowLightCurve? = nil
  ) {
    setRegion(part, shift: shift, darkness: exposure?.darkness ?? 0)
    let step = tensor.pixelStep
    let offsets = tensor.colorOffsets
    if region.width < tensor.width || region.height < tensor.height {
      unsafe tensor.fillWithBlack(out)
    }
    let pairs = 2 * chromaPart.lowerBound..<2 * chromaPart.upperBound
    for y in 0..<region.height {
      lumaRows.sumRows(of: reduced.luma, for: y, lumaPart, into: lumaSums)
      chromaRows.sumRows(of: reduced.chroma, for: y, pairs, into: chromaSums)
      unsafe lumaColumns.apply(to: lumaSums.base, into: filtered.row(0))
      unsafe chromaColumns.apply(toPairs: chromaSums.base, into: filtered.row(1), filtered.row(2))
      if let exposure, exposure.isActive {
        unsafe exposure.adjust(filtered.row(0), filtered.row(1), filtered.row(2), region.width)
      }
      let first = unsafe out + ((region.y + y) * tensor.width + region.x) * step
      unsafe kernels.convertToRGB(
        filtered.row(0), filtered.row(1), filtered.row(2), coefficients,
        first + offsets.red, first + offsets.green, first + offsets.blue, step, region.width)
    }
  }
}

extension TensorFormat {
  /// Distance between pixels in floats.
  var pixelStep: Int { layout == .planar ? 1 : 3 }

  /// The indices of the first pixel's red, green and blue in a tensor.
  package var colorOffsets: (red: Int, green: Int, blue: Int) {
    let component = layout == .planar ? width * height : 1
    return order == .rgb ? (0, component, 2 * component) : (2 * component, component, 0)
  }

  /// Fills a tensor with black.
  func fillWithBlack(_ tensor: UnsafeMutablePointer<Float>) {
    func fill(_ first: Int, _ value: Float) {
      for pixel in 0..<width * height { unsafe tensor[first + pixel * pixelStep] = value }
    }
    let offsets = colorOffsets
    fill(offsets.red, red.low)
    fill(offsets.green, green.low)
    fill(offsets.blue, blue.low)
  }
}
