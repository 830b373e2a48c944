import PixelTypes

/// Memory for a frame, or for a reduced one.
final class FrameCopy {
  let luma: Raster<UInt8>, chroma: Raster<UInt8>

  /// Allocates memory for frames of `format`, reduced by `1 << shift`.
  init(format: FrameFormat, shift: Int = 0) {
    func raster(_ width: Int, _ height: Int, bytes: Int) -> Raster<UInt8> {
      Raster(
        width: bytes * BoxReducer.reduced(width, shift: shift),
        height: BoxReducer.reduced(height, shift: shift), filledWith: 0)
    }
    luma = raster(format.width, format.height, bytes: 1)
    chroma = raster(format.chromaWidth, format.chromaHeight, bytes: 2)
  }

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
