import PixelTypes

/// Paints pictures into frames of one format: fits, turns and scales them, and converts colours.
///
/// For the pictures of a video, it allocates memory only if their format changes. Not thread-safe.
package final class PlatePainter {
  private let format: FrameFormat
  private let fit: BackgroundFit
  private let backgroundColor: UInt32
  private var scaler: VideoScaler?
  /// The picture after it is turned into the orientation of the frames.
  private var turned: Plate?

  /// Creates a painter for frames of `format`.
  ///
  /// The low 24 bits of `backgroundColor` are red, green and blue. The colour is visible around the
  /// picture and through its transparent pixels.
  package init(format: FrameFormat, fit: BackgroundFit, backgroundColor: UInt32) {
    (self.format, self.fit, self.backgroundColor) = (format, fit, backgroundColor)
  }

  /// Fills a frame with a picture of a video, which has the format `source`.
  ///
  /// Its sides have 1 to 16384 pixels. Throws if there is not enough memory.
  package func paint(
    _ picture: Frame, of source: FrameFormat, into frame: Frame
  ) throws(OutOfMemory) {
    var stored = source
    stored.orientation = turn(from: source.orientation)
    let source = stored.upright
    if stored.orientation == .upright {
      turned = nil
    } else {
      if turned?.format != source {
        turned = nil
        turned = try Plate(allocating: source) { _ in }
      }
      if let turned { stored.orientation.turn(picture, into: turned.frame) }
    }
    let (part, region) = place(source, in: frame)
    if scaler?.source != source {
      // Free the old scaler before the new one is allocated.
      scaler = nil
      scaler = try VideoScaler(
        from: source, part: part, to: region, colorimetry: format.colorimetry)
    }
    scaler?.scale(turned?.frame ?? picture, into: frame)
  }

  /// Fills a frame with a picture of red, green, blue and alpha bytes, with premultiplied alpha.
  ///
  /// `isOpaque` must be true only if every alpha is 255. Throws if there is not enough memory.
  package func paint(
    _ pixels: Raster<UInt32>, isOpaque: Bool, pixelAspect: Double,
    turned orientation: ImageOrientation, into frame: Frame
  ) throws(OutOfMemory) {
    let turn = turn(from: orientation)
    let pixels = try turn.apply(to: pixels)
    let (part, region) = place(
      FrameFormat(
        width: pixels.width, height: pixels.height, colorimetry: format.colorimetry,
        pixelAspect: turn.turned(pixelAspect: pixelAspect)), in: frame)
    PicturePainter().paint(
      pixels, part: part, isOpaque: isOpaque, over: backgroundColor, into: frame, at: region,
      colorimetry: format.colorimetry)
  }

  /// Returns the turn from the orientation of a stored picture to the one of the frames.
  private func turn(from orientation: ImageOrientation) -> ImageOrientation {
    orientation.followed(by: format.orientation.inverse)
  }

  /// Fills the area of a frame that the picture leaves empty.
  ///
  /// Returns the part of the picture to show, and the region of the frame to paint.
  private func place(
    _ source: FrameFormat, in frame: Frame
  ) -> (source: PixelRegion, target: PixelRegion) {
    if fit == .contain { frame.fill(with: backgroundColor, in: format.colorimetry) }
    return fit.regions(
      imageWidth: source.width, imageHeight: source.height,
      pixelAspect: source.pixelAspect / format.pixelAspect, frameWidth: format.width,
      frameHeight: format.height)
  }
}
