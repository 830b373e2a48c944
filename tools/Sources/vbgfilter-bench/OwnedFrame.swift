#if canImport(Glibc)
  import Glibc
#endif
import PixelTypes

/// An NV12 frame that owns its memory.
final class OwnedFrame {
  private let luma: Raster<UInt8>
  private let chroma: Raster<UInt8>

  /// Allocates a grey frame of even width and height.
  init(width: Int, height: Int) {
    luma = Raster(width: width, height: height, filledWith: 128)
    chroma = Raster(width: width, height: height / 2, filledWith: 128)
  }

  /// The planes.
  ///
  /// They are valid during the lifetime of this object.
  var planes: Frame { Frame(luma: luma.plane, chroma: chroma.plane) }

  /// Copies a frame of the same size, plane by plane.
  func copy(_ other: OwnedFrame) {
    unsafe memcpy(luma.base, other.luma.base, luma.width * luma.height)
    unsafe memcpy(chroma.base, other.chroma.base, chroma.width * chroma.height)
  }

  /// Copies the part of a wider frame of the same height that begins at an even column.
  func copy(_ other: OwnedFrame, from column: Int) {
    for (target, source) in [(luma, other.luma), (chroma, other.chroma)] {
      for y in 0..<target.height {
        unsafe target.row(y).update(from: source.row(y) + column, count: target.width)
      }
    }
  }
}
