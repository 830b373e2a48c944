import Glibc
import PixelTypes

/// A point in a frame, in pixels from its upper left corner.
public typealias FacePoint = SIMD2<Float>

/// An upright rectangle around a face, in pixels of the frame, which may reach beyond its edges.
public struct FaceBox: Equatable, Sendable {
  /// The middle.
  public var center: FacePoint
  /// Pixels from left to right.
  public var width: Float
  /// Pixels from top to bottom.
  public var height: Float

  /// Creates a box around its middle.
  public init(center: FacePoint, width: Float, height: Float) {
    (self.center, self.width, self.height) = (center, width, height)
  }

  /// The first column.
  public var x: Float { center.x - width / 2 }
  /// The first row.
  public var y: Float { center.y - height / 2 }
  /// The column after the last one.
  public var endX: Float { center.x + width / 2 }
  /// The row after the last one.
  public var endY: Float { center.y + height / 2 }

  /// The number of pixels in common with another box.
  func intersection(_ other: FaceBox) -> Float {
    let across = min(endX, other.endX) - max(x, other.x)
    let down = min(endY, other.endY) - max(y, other.y)
    return across > 0 && down > 0 ? across * down : 0
  }

  /// The intersection of two boxes as a share of their union, 0 to 1.
  func overlap(_ other: FaceBox) -> Float {
    let shared = intersection(other)
    let covered = width * height + other.width * other.height - shared
    return covered > 0 ? shared / covered : 0
  }

  /// The intersection of two boxes as a share of the smaller one, 0 to 1.
  package func coverage(_ other: FaceBox) -> Float {
    let smaller = min(width * height, other.width * other.height)
    return smaller > 0 ? intersection(other) / smaller : 0
  }
}

/// The six keypoints that the network finds in a face.
///
/// Left and right are the person's own.
public struct FaceKeypoints: Equatable, Sendable {
  /// The right eye, on the left side of a picture that is not mirrored.
  public var rightEye: FacePoint
  /// The left eye.
  public var leftEye: FacePoint
  /// The tip of the nose.
  public var noseTip: FacePoint
  /// The middle of the mouth.
  public var mouth: FacePoint
  /// The tragus of the right ear, the small flap in front of it.
  public var rightEar: FacePoint
  /// The tragus of the left ear.
  public var leftEar: FacePoint

  /// Creates a set of keypoints.
  public init(
    rightEye: FacePoint, leftEye: FacePoint, noseTip: FacePoint, mouth: FacePoint,
    rightEar: FacePoint, leftEar: FacePoint
  ) {
    (self.rightEye, self.leftEye, self.noseTip) = (rightEye, leftEye, noseTip)
    (self.mouth, self.rightEar, self.leftEar) = (mouth, rightEar, leftEar)
  }
}

/// A face detected in one frame.
public struct Face: Equatable, Sendable {
  /// From the hairline to the chin and from cheek to cheek.
  public var box: FaceBox
  /// Eyes, nose, mouth and ears.
  public var keypoints: FaceKeypoints
  /// The confidence of the network, 0 to 1.
  public var score: Float

  /// Creates a face.
  public init(box: FaceBox, keypoints: FaceKeypoints, score: Float) {
    (self.box, self.keypoints, self.score) = (box, keypoints, score)
  }

  /// Creates a face without keypoints: all are in the middle of its box.
  package init(box: FaceBox, score: Float) {
    let middle = box.center
    let keypoints = FaceKeypoints(
      rightEye: middle, leftEye: middle, noseTip: middle, mouth: middle, rightEar: middle,
      leftEar: middle)
    self.init(box: box, keypoints: keypoints, score: score)
  }

  /// The lean of the head, from the eyes, in radians: clockwise in the picture, -pi to pi.
  public var roll: Float {
    let (right, left) = (keypoints.rightEye, keypoints.leftEye)
    return atan2f(left.y - right.y, left.x - right.x)
  }

  /// Combines the points and the size of two faces one by one, and keeps this face's score.
  func combined(_ other: Face, _ value: (FacePoint, FacePoint) -> FacePoint) -> Face {
    let (a, b) = (keypoints, other.keypoints)
    let size = value(FacePoint(box.width, box.height), FacePoint(other.box.width, other.box.height))
    return Face(
      box: FaceBox(center: value(box.center, other.box.center), width: size.x, height: size.y),
      keypoints: FaceKeypoints(
        rightEye: value(a.rightEye, b.rightEye), leftEye: value(a.leftEye, b.leftEye),
        noseTip: value(a.noseTip, b.noseTip), mouth: value(a.mouth, b.mouth),
        rightEar: value(a.rightEar, b.rightEar), leftEar: value(a.leftEar, b.leftEar)),
      score: score)
  }

  /// Whether all coordinates are finite.
  public var isFinite: Bool {
    // The difference of an infinite number from itself is not a number.
    let differences = combined(self, -)
    return differences == differences
  }

  /// Returns the face with its coordinates scaled and then moved.
  func placed(scale: FacePoint = .one, at origin: FacePoint) -> Face {
    var face = combined(self) { point, _ in point * scale + origin }
    (face.box.width, face.box.height) = (box.width * scale.x, box.height * scale.y)
    return face
  }

  /// The whole face in shares of the network's box, which begins at half of the forehead.
  ///
  /// Fitted to fifty boxes that were read from pictures of five people.
  private static let wholeBox: (width: Float, height: Float, upward: Float) = (0.95, 1.26, 0.12)

  /// This face, with a box that surrounds the whole face.
  ///
  /// The box spans from the hairline to the chin and from cheek to cheek, as in WIDER FACE (Yang et
  /// al. 2016).
  package var whole: Face {
    var face = self
    // Upward with respect to the tilted face.
    face.box.center.x += Self.wholeBox.upward * box.width * sinf(roll)
    face.box.center.y -= Self.wholeBox.upward * box.height * cosf(roll)
    face.box.width *= Self.wholeBox.width
    face.box.height *= Self.wholeBox.height
    return face
  }
}

extension PixelRegion {
  /// The upper left corner, and the size.
  var origin: FacePoint { FacePoint(Float(x), Float(y)) }
  var size: FacePoint { FacePoint(Float(width), Float(height)) }
}
