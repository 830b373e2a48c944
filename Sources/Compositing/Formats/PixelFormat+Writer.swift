import PixelTypes

extension PixelFormat {
  /// Makes a writer for pictures of this format.
  func makeWriter(_ format: FrameFormat, kernels: any RowKernels.Type) -> any RowWriter {
    switch self {
    case .nv12, .nv21, .i420, .p010, .a420: PlanarWriter(format: format, kernels: kernels)
    case .gray8: GrayWriter(format: format, kernels: kernels)
    case .ayuv, .rgba, .bgra, .argb, .abgr: PackedWriter(format: format, kernels: kernels)
    }
  }
}
