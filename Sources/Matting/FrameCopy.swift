import PixelTypes

/// Memory for a copy of a frame, or of a reduced one.
final class FrameCopy {
  private let luma: Raster<UInt8>, chroma: Raster<UInt8>

  init(sizeOf frame: Frame) {
    (luma, chroma) = (Raster(sizeOf: frame.luma), Raster(sizeOf: frame.chroma))
  }

  /// The copy, valid for as long as this object lives.
  var frame: Frame { Frame(luma: luma.plane, chroma: chroma.plane) }

  /// Copies a frame of the same size.
  func store(_ frame: Frame) {
    luma.store(frame.luma)
    chroma.store(frame.chroma)
  }
}

extension Raster<UInt8> {
  convenience init(sizeOf plane: Plane) {
    self.init(width: plane.width, height: plane.height, filledWith: 0)
  }

  /// Copies a plane of the same size.
  func store(_ plane: Plane) {
    for y in 0..<height { unsafe row(y).update(from: plane.row(y), count: width) }
  }
}
