import InferenceTypes
import PixelTypes
import VirtualBackground

/// Finds and follows faces for whoever tells people apart by them.
public final class FollowedFaces: FaceFinder {
  private let detector: FaceDetector
  private let tracker = FaceTracker()
  private var result: [SeenFace] = []
  private var hasPast = false

  /// The detector looks at some parts of a frame by turns; of the first frame it sees all parts.
  private static let turnsAtFirst = 8

  /// Makes one that works with the given detector, and is its only user.
  public init(_ detector: FaceDetector) {
    self.detector = detector
  }

  /// The faces that are followed; see `FaceFinder`.
  ///
  /// Throws `SegmentationError` when the frame is none of `format`, and when an inference fails.
  public func find(
    in frame: Frame, format: FrameFormat, at time: UInt64
  ) throws(SegmentationError) -> [SeenFace] {
    if !hasPast {
      for _ in 1..<Self.turnsAtFirst { _ = try detector.detect(in: frame, format: format) }
    }
    hasPast = true
    let faces = tracker.follow(try detector.detect(in: frame, format: format), at: time)
    result.removeAll(keepingCapacity: true)
    for face in faces {
      let box = face.face.box
      result.append(
        SeenFace(
          id: face.id, x: Double(box.center.x), y: Double(box.center.y), width: Double(box.width)))
    }
    return result
  }

  /// Forgets all faces: the next frame is looked at as the first one.
  public func forgetPast() {
    detector.forget()
    tracker.forget()
    hasPast = false
  }
}
