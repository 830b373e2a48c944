import PixelTypes

/// Brings a reduced frame into a network's input tensor: scaled with anti-aliasing, converted to RGB
/// with the frame's own colorimetry.
///
/// Rows are summed first, over the whole width, because that vectorises; the columns of each sum are
/// filtered afterwards.
final class TensorPreparation {
  /// The part of the tensor that the picture covers; the rest is black.
  let region: (x: Int, y: Int, width: Int, height: Int)

  private let kernels: any RowKernels.Type
  private let tensor: TensorFormat
  private let coefficients: RGBCoefficients
  private let lumaColumns: AxisFilter, lumaRows: AxisFilter
  private let chromaColumns: AxisFilter, chromaRows: AxisFilter
  private let lumaSums: Raster<Float>, chromaSums: Raster<Float>
  private let filtered: Raster<Float>

  /// Makes tables for frames of `format`, given as reduced by `1 << shift`.
  init(
    format: FrameFormat, shift: Int, tensor: TensorFormat, kernels: any RowKernels.Type
  ) {
    self.kernels = kernels
    self.tensor = tensor
    region = Self.region(of: tensor, for: format)
    coefficients = RGBCoefficients(format.colorimetry, low: tensor.low, high: tensor.high)

    // Extents are the frame's own, in reduced samples: the last block may stick out of the frame.
    func filter(_ count: Int, _ size: Int, _ step: Int, _ sourceCount: Int) -> AxisFilter {
      // The detail that a sharper filter keeps is in the luma.
      AxisFilter(
        count: count, scale: Double(size) / Double(step << shift) / Double(count),
        sourceCount: sourceCount, kind: step == 1 ? tensor.filter : .triangle,
        tapsAtOnce: step == 1 ? 4 : 2)
    }
    let lumaWidth = BoxReducer.reduced(format.width, shift: shift)
    let chromaWidth = BoxReducer.reduced(format.chromaWidth, shift: shift)
    lumaColumns = filter(region.width, format.width, 1, lumaWidth)
    lumaRows = filter(
      region.height, format.height, 1, BoxReducer.reduced(format.height, shift: shift))
    chromaColumns = filter(region.width, format.width, 2, chromaWidth)
    chromaRows = filter(
      region.height, format.height, 2, BoxReducer.reduced(format.chromaHeight, shift: shift))
    lumaSums = Raster(width: lumaWidth, height: 1, filledWith: 0)
    chromaSums = Raster(width: 2 * chromaWidth, height: 1, filledWith: 0)
    filtered = Raster(width: region.width, height: 3, filledWith: 0)
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

  /// Fills the tensor from a reduced frame.
  func fill(_ out: UnsafeMutablePointer<Float>, from reduced: Frame) {
    let area = tensor.width * tensor.height
    let step = tensor.layout == .planar ? 1 : 3
    let component = tensor.layout == .planar ? area : 1
    if region.width < tensor.width || region.height < tensor.height {
      unsafe out.update(repeating: tensor.low, count: 3 * area)
    }
    for y in 0..<region.height {
      lumaRows.sumRows(kernels, of: reduced.luma, for: y, into: lumaSums)
      chromaRows.sumRows(kernels, of: reduced.chroma, for: y, into: chromaSums)
      unsafe lumaColumns.apply(kernels, to: lumaSums.base, into: filtered.row(0))
      unsafe chromaColumns.apply(
        kernels, toPairs: chromaSums.base, into: filtered.row(1), filtered.row(2))
      let first = unsafe out + ((region.y + y) * tensor.width + region.x) * step
      unsafe kernels.convertToRGB(
        filtered.row(0), filtered.row(1), filtered.row(2), coefficients, first,
        first + component, first + 2 * component, step, region.width)
    }
  }
}
