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

  /// The planes, which are valid while this object is alive.
  var planes: Frame { Frame(luma: luma.plane, chroma: chroma.plane) }

  /// Copies the contents of a frame of the same size.
  func copy(_ other: OwnedFrame) {
    unsafe memcpy(luma.base, other.luma.base, luma.width * luma.height)
    unsafe memcpy(chroma.base, other.chroma.base, chroma.width * chroma.height)
  }

  /// Copies a part of a wider frame of the same height.
  ///
  /// The part begins at `column`, which must be even.
  func copy(_ other: OwnedFrame, from column: Int) {
    for (target, source) in [(luma, other.luma), (chroma, other.chroma)] {
      for y in 0..<target.height {
        unsafe target.row(y).update(from: source.row(y) + column, count: target.width)
      }
    }
  }
}
