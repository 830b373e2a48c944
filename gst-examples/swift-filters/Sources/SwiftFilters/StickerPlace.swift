import FaceDetection
#if canImport(Glibc)
  import Glibc
#endif
import GstVideoFilterKit

/// Where a sticker is drawn, in pixels of the frame.
struct StickerPlace {
  /// The middle.
  var x: Float
  var y: Float
  /// From its left to its right edge.
  var width: Float
  /// How far it leans: radians, clockwise as seen in the picture.
  var roll: Float

  /// Takes a place as it is.
  init(x: Float, y: Float, width: Float, roll: Float) {
    (self.x, self.y, self.width, self.roll) = (x, y, width, roll)
  }

  /// Between the eyes of a face, as wide as the face, and as it leans.
  ///
  /// - Parameters:
  ///   - face: in pixels of a picture of the frame.
  ///   - pixel: the frame's columns and rows that a pixel of that picture stands for.
  ///   - scale: what the width is multiplied by.
  ///   - offset: how far below the eyes, in heights of the face; it turns with the face.
  init(on face: Face, pixel: Float, scale: Float, offset: Float) {
    let (right, left) = (face.keypoints.rightEye, face.keypoints.leftEye)
    roll = face.roll
    width = face.box.width * pixel * scale
    let down = offset * face.box.height
    x = ((right.x + left.x) / 2 - down * sinf(roll)) * pixel
    y = ((right.y + left.y) / 2 + down * cosf(roll)) * pixel
  }
}

extension StickerPlace {
  /// Draws a picture here into a frame, over what it shows.
  func draw(_ image: StickerImage, into frame: inout VideoFrame) {
    guard let painter = StickerPainter(image, at: self, width: frame.width, height: frame.height)
    else { return }
    if frame.format == .rgba {
      painter.drawColors(&frame.pixels)
    } else {
      painter.drawYCbCr(&frame.luma, &frame.chroma)
    }
  }
}
