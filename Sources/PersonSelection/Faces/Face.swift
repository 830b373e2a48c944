import Glibc

/// A point in a frame, in pixels from its upper left corner.
public struct FacePoint: Equatable, Sendable {
  /// Pixels from the left edge.
  public var x: Float
  /// Pixels from the upper edge.
  public var y: Float

  /// Creates a point.
  public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }
}

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
    self.center = center
    self.width = width
    self.height = height
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
    self.rightEye = rightEye
    self.leftEye = leftEye
    self.noseTip = noseTip
    self.mouth = mouth
    self.rightEar = rightEar
    self.leftEar = leftEar
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
    self.box = box
    self.keypoints = keypoints
    self.score = score
  }

  /// Creates a face without keypoints: all are in the middle of its box.
  package init(box: FaceBox, score: Float) {
    let middle = box.center
    self.init(
      box: box,
      keypoints: FaceKeypoints(
        rightEye: middle, leftEye: middle, noseTip: middle, mouth: middle, rightEar: middle,
        leftEar: middle),
      score: score)
  }

  /// The lean of the head, from the eyes, in radians: clockwise in the picture, -pi to pi.
  public var roll: Float {
    let (right, left) = (keypoints.rightEye, keypoints.leftEye)
    return atan2f(left.y - right.y, left.x - right.x)
  }

  /// Combines the numbers of two faces one by one, and keeps this face's score.
  func combined(_ other: Face, _ value: (Float, Float) -> Float) -> Face {
    func point(_ a: FacePoint, _ b: FacePoint) -> FacePoint {
      FacePoint(x: value(a.x, b.x), y: value(a.y, b.y))
    }
    return Face(
      box: FaceBox(
        center: point(box.center, other.box.center), width: value(box.width, other.box.width),
        height: value(box.height, other.box.height)),
      keypoints: FaceKeypoints(
        rightEye: point(keypoints.rightEye, other.keypoints.rightEye),
        leftEye: point(keypoints.leftEye, other.keypoints.leftEye),
        noseTip: point(keypoints.noseTip, other.keypoints.noseTip),
        mouth: point(keypoints.mouth, other.keypoints.mouth),
        rightEar: point(keypoints.rightEar, other.keypoints.rightEar),
        leftEar: point(keypoints.leftEar, other.keypoints.leftEar)),
      score: score)
  }

  /// Whether all coordinates are finite.
  public var isFinite: Bool {
    var isFinite = true
    _ = combined(self) { value, _ in
      isFinite = isFinite && value.isFinite
      return value
    }
    return isFinite
  }

  /// Returns the face with its coordinates scaled and then moved.
  func placed(scaleX: Float, scaleY: Float, x: Float, y: Float) -> Face {
    func point(_ point: FacePoint) -> FacePoint {
      FacePoint(x: point.x * scaleX + x, y: point.y * scaleY + y)
    }
    return Face(
      box: FaceBox(
        center: point(box.center), width: box.width * scaleX, height: box.height * scaleY),
      keypoints: FaceKeypoints(
        rightEye: point(keypoints.rightEye), leftEye: point(keypoints.leftEye),
        noseTip: point(keypoints.noseTip), mouth: point(keypoints.mouth),
        rightEar: point(keypoints.rightEar), leftEar: point(keypoints.leftEar)),
      score: score)
  }
}
