import InferenceTypes
import PixelTypes

/// Brings a part of a reduced frame into a network's input tensor: scaled with anti-aliasing,
/// converted to RGB with the frame's own colorimetry.
///
/// Rows are summed first, over the whole width, because that vectorises; the columns of each sum are
/// filtered afterwards.
final class TensorPreparation {
  /// The part of the tensor that the picture covers; the rest is black.
  let region: (x: Int, y: Int, width: Int, height: Int)

  private let kernels: any RowKernels.Type
  private let format: FrameFormat
  private let tensor: TensorFormat
  private let coefficients: RGBCoefficients
  /// Nil for networks whose filter is soft already.
  private let lumaAveraging: Averaging?
  private let lumaColumns: AxisFilter, lumaRows: AxisFilter
  private let chromaColumns: AxisFilter, chromaRows: AxisFilter
  private let lumaSums: Raster<Float>, chromaSums: Raster<Float>
  private let filtered: Raster<Float>
  private var target: (part: PixelRegion, shift: Int, darkness: Double)?
  /// The columns that are read, of luma and of chroma.
  private var lumaPart = 0..<1, chromaPart = 0..<1

  /// How the noise of dark frames is averaged away.
  ///
  /// Found with `meson-helper/evaluate` on dark copies of six sets of 22 people. The networks see luma
  /// more sharply than colour, whose noise they see as much.
  private struct Averaging {
    /// How many samples of the frame a triangle reaches to each side, unless the tensor's are farther
    /// apart...
    let reach: Double
    /// ...but no more than so many steps of the tensor, or small people would be blurred.
    let mostSteps: Double

    static let luma = Averaging(reach: 3, mostSteps: 1.5)
    static let chroma = Averaging(reach: 6, mostSteps: 4)

    /// The triangle averages at least so many times as many samples as the filter that it replaces.
    static let leastGain = 1.1

    /// In samples that are blocks of `block` averaged, where the tensor's are `scale` of them apart; nil
    /// where the filter averages about as many anyway.
    func reach(scale: Double, block: Int, darkness: Double) -> Double? {
      let reach = min(darkness * reach / Double(block), max(scale, 1) * mostSteps)
      return reach > max(scale, 1) * Self.leastGain ? reach : nil
    }
  }

  /// Allocates memory for frames of `format`, given as reduced by `1 << leastShift` or more.
  init(
    format: FrameFormat, leastShift: Int, tensor: TensorFormat, kernels: any RowKernels.Type
  ) {
    self.kernels = kernels
    self.format = format
    self.tensor = tensor
    region = Self.region(of: tensor, for: format)
    coefficients = RGBCoefficients(
      format.colorimetry, red: tensor.red, green: tensor.green, blue: tensor.blue)

    let lumaAveraging = tensor.filter == .triangle ? nil : Averaging.luma
    self.lumaAveraging = lumaAveraging
    func filter(_ count: Int, _ size: Int, _ step: Int) -> AxisFilter {
      // The detail that a sharper filter keeps is in the luma.
      let sourceCount = BoxReducer.reduced((size + step - 1) / step, shift: leastShift)
      let scale = Double(sourceCount) / Double(count)
      let averaging = step == 1 ? lumaAveraging : .chroma
      return AxisFilter(
        count: count, greatestScale: scale,
        greatestReach: averaging?.reach(scale: scale, block: 1 << leastShift, darkness: 1) ?? 0,
        sourceCount: sourceCount, kind: step == 1 ? tensor.filter : .triangle,
        tapsAtOnce: step == 1 ? 4 : 2)
    }
    lumaColumns = filter(region.width, format.width, 1)
    lumaRows = filter(region.height, format.height, 1)
    chromaColumns = filter(region.width, format.width, 2)
    chromaRows = filter(region.height, format.height, 2)
    let lumaWidth = BoxReducer.reduced(format.width, shift: leastShift)
    let chromaWidth = BoxReducer.reduced(format.chromaWidth, shift: leastShift)
    lumaSums = Raster(width: lumaWidth, height: 1, filledWith: 0)
    chromaSums = Raster(width: 2 * chromaWidth, height: 1, filledWith: 0)
    filtered = Raster(width: region.width, height: 3, filledWith: 0)
  }

  /// Reads `part` of the frame from now on, from frames reduced by `1 << shift` and so dark; beyond the
  /// frame its edge is repeated.
  private func aim(at part: PixelRegion, shift: Int, darkness: Double) {
    if let target, target == (part, shift, darkness) { return }
    target = (part, shift, darkness)
    // Origins and extents are the part's own, in reduced samples: the last block may stick out of
    // the frame.
    func aim(_ filter: AxisFilter, _ first: Int, _ length: Int, _ size: Int, _ step: Int)
      -> Range<Int>
    {
      let block = Double(step << shift)
      let last = BoxReducer.reduced((size + step - 1) / step, shift: shift)
      let begin = max(first, 0) / (step << shift)
      let end = min(max((first + length + (step << shift) - 1) / (step << shift), begin + 1), last)
      let scale = Double(length) / block / Double(filter.starts.width)
      let averaging = step == 1 ? lumaAveraging : .chroma
      filter.aim(
        origin: Double(first) / block, scale: scale,
        reach: averaging?.reach(scale: scale, block: 1 << shift, darkness: darkness),
        part: begin..<end)
      return begin..<end
    }
    lumaPart = aim(lumaColumns, part.x, part.width, format.width, 1)
    chromaPart = aim(chromaColumns, part.x, part.width, format.width, 2)
    _ = aim(lumaRows, part.y, part.height, format.height, 1)
    _ = aim(chromaRows, part.y, part.height, format.height, 2)
  }

  /// Where a picture of `format` lies in the tensor.
  static func region(
    of tensor: TensorFormat, for format: FrameFormat
  ) -> (x: Int, y: Int, width: Int, height: Int) {
    guard tensor.fit == .letterbox else { return (0, 0, tensor.width, tensor.height) }
    let scale = min(
      Double(tensor.width) / Double(format.width), Double(tensor.height) / Double(format.height))
    let width = min(max(Int((Double(format.width) * scale).rounded()), 1), tensor.width)
    let height = min(max(Int((Double(format.height) * scale).rounded()), 1), tensor.height)
    return ((tensor.width - width) / 2, (tensor.height - height) / 2, width, height)
  }

  /// Fills the tensor with `part` of a frame, given as reduced by `1 << shift`; brighter and with less
  /// noise if an exposure is given.
  func fill(
    _ out: UnsafeMutablePointer<Float>, with part: PixelRegion, of reduced: Frame, shift: Int,
    exposure: LowLightCurve? = nil
  ) {
    aim(at: part, shift: shift, darkness: exposure?.darkness ?? 0)
    let step = tensor.pixelStep
    let offsets = tensor.colorOffsets
    if region.width < tensor.width || region.height < tensor.height {
      unsafe tensor.fillWithBlack(out)
    }
    let pairs = 2 * chromaPart.lowerBound..<2 * chromaPart.upperBound
    for y in 0..<region.height {
      lumaRows.sumRows(kernels, of: reduced.luma, for: y, lumaPart, into: lumaSums)
      chromaRows.sumRows(kernels, of: reduced.chroma, for: y, pairs, into: chromaSums)
      unsafe lumaColumns.apply(kernels, to: lumaSums.base, into: filtered.row(0))
      unsafe chromaColumns.apply(
        kernels, toPairs: chromaSums.base, into: filtered.row(1), filtered.row(2))
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
