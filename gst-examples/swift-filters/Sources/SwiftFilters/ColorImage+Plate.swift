import PixelTypes
import Processor
import VirtualBackground

extension ColorImage {
  /// A plate of the image, cropped to fill the frame; black shows through transparent pixels.
  func plate(for format: FrameFormat) -> Plate {
    let (pixels, isOpaque) = multipliedByAlpha
    let (part, target) = BackgroundFit.cover.regions(
      imageWidth: width, imageHeight: height, frameWidth: format.width, frameHeight: format.height)
    return Plate(format: format) { frame in
      PicturePainter(kernels: InstructionSet.current.kernels).paint(
        pixels, part: part, isOpaque: isOpaque, over: 0, into: frame, at: target,
        colorimetry: format.colorimetry)
    }
  }

  /// The pixels with premultiplied alpha, and whether all are opaque.
  private var multipliedByAlpha: (Raster<UInt32>, isOpaque: Bool) {
    let pixels = Raster<UInt32>(width: width, height: height, filledWith: 0)
    var isOpaque = true
    for y in 0..<height {
      let row = unsafe pixels.row(y)
      for x in 0..<width {
        let at = 4 * (y * width + x)
        let alpha = UInt32(bytes[at + 3])
        isOpaque = isOpaque && alpha == 255
        func channel(_ number: Int) -> UInt32 { (UInt32(bytes[at + number]) * alpha + 127) / 255 }
        let pixel = channel(0) | channel(1) << 8 | channel(2) << 16 | alpha << 24
        unsafe row[x] = pixel.littleEndian
      }
    }
    return (pixels, isOpaque)
  }
}
