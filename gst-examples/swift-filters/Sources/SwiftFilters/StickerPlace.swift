import PersonSelection
#if canImport(Glibc)
  import Glibc
#endif
import GstVideoFilterKit

/// The place of a sticker, in pixels of the frame.
struct StickerPlace {
  /// The middle.
  var x: Float
  var y: Float
  /// The distance of its left and right edges.
  var width: Float
  /// Its rotation in radians, clockwise as seen on the screen.
  var roll: Float

  /// Makes a place of its members.
  init(x: Float, y: Float, width: Float, roll: Float) {
    (self.x, self.y, self.width, self.roll) = (x, y, width, roll)
  }

  /// The place between the eyes of a face, with its width and roll.
  ///
  /// - Parameters:
  ///   - face: the face, in pixels of a picture of the frame.
  ///   - pixel: the frame's pixels on a side for a pixel of that picture.
  ///   - scale: a factor for the width.
  ///   - offset: the distance below the eyes, in heights of the face and along its axis.
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
  /// Draws an image at this place over a frame.
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
