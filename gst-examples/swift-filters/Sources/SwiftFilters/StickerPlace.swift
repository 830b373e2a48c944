import PersonSelection
#if canImport(Glibc)
  import Glibc
#endif
import GstVideoFilterKit

/// The position, width and rotation of a sticker, in pixels of the frame.
struct StickerPlace {
  /// The coordinates of the middle.
  var x: Float
  var y: Float
  /// The distance between the left and the right edge.
  var width: Float
  /// The rotation in radians, clockwise as seen on the screen.
  var roll: Float

  /// Creates a place from its members.
  init(x: Float, y: Float, width: Float, roll: Float) {
    (self.x, self.y, self.width, self.roll) = (x, y, width, roll)
  }

  /// Creates a place between the eyes of a face, with the width and the roll of the face.
  ///
  /// - Parameters:
  ///   - face: the face, in pixels of a reduced picture of the frame.
  ///   - pixel: the size of a pixel of that picture, in pixels of the frame.
  ///   - scale: a factor for the width.
  ///   - offset: the distance below the eyes along the axis of the face, in heights of the face.
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
