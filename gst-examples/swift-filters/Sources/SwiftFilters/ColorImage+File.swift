import GstBackground
import PixelTypes
import Threads

extension ColorImage {
  /// Reads an image of any kind that GStreamer can decode, or the first frame of a video.
  ///
  /// Takes a few milliseconds, or some hundreds of milliseconds for large images.
  ///
  /// - Throws: `ImageError`, which names the file and the remedy.
  init(path: String, _ cancellation: Cancellation = Cancellation()) throws(ImageError) {
    let image: BackgroundImage
    do throws(BackgroundError) {
      image = try BackgroundImage.read(path, timeout: .seconds(10), cancellation)
    } catch {
      throw ImageError(error)
    }
    (width, height) = (image.width, image.height)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * width * height)
    for y in 0..<height {
      let row = unsafe image.pixels.row(y)
      for x in 0..<width {
        let pixel = unsafe UInt32(littleEndian: row[x])
        let alpha = pixel >> 24
        // Divide red, green and blue by alpha, because they are premultiplied.
        for shift in [0, 8, 16] as [UInt32] {
          let product = pixel >> shift & 0xFF
          bytes.append(UInt8(clamping: alpha == 0 ? 0 : (product * 255 + alpha / 2) / alpha))
        }
        bytes.append(UInt8(alpha))
      }
    }
    self.bytes = bytes
  }
}
