import InferenceTypes
import PixelTypes

/// Finds and follows faces for whoever tells people apart by them.
public final class FollowedFaces: FaceFinder {
  private let detector: FaceDetector
  private let halfHidden: HalfHiddenFaces
  private let tracker = FaceTracker()
  /// The faces of this frame.
  private var faces: [Face] = []
  private var result: [SeenFace] = []
  private var hasPast = false
  /// When what is around a face was looked at last, in nanoseconds.
  private var lastLook: UInt64 = 0

  /// The detector looks at some parts of a frame by turns; of the first frame it sees all parts.
  private static let turnsAtFirst = 8

  /// What is around a face is looked at when so many nanoseconds have passed: in every other frame of a
  /// camera, so that a newcomer beside a single person is seen within a tenth of a second.
  private static let timeOfLook: UInt64 = 60_000_000

  /// Makes one that works with the given detectors, and is their only user.
  public init(_ detector: FaceDetector, halfHidden: HalfHiddenFaces) {
    self.detector = detector
    self.halfHidden = halfHidden
  }

  /// The faces that are followed; see `FaceFinder`.
  ///
  /// Throws `SegmentationError` when the frame is none of `format`, and when an inference fails.
  public func find(
    in frame: Frame, format: FrameFormat, at time: UInt64, isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) -> [SeenFace] {
    if !hasPast {
      for _ in 1..<Self.turnsAtFirst { _ = try detector.detect(in: frame, format: format) }
    }
    faces.removeAll(keepingCapacity: true)
    faces += try detector.detect(in: frame, format: format)
    let looks = looks(at: time)
    faces += try halfHidden.find(
      in: frame, format: format, behind: faces, looks: looks, isShown: isShown)
    if looks > 0 { lastLook = time }
    hasPast = true
    result.removeAll(keepingCapacity: true)
    for face in tracker.follow(faces, at: time) {
      let box = face.face.box
      result.append(
        SeenFace(
          id: face.id, x: Double(box.center.x), y: Double(box.center.y), width: Double(box.width),
          score: Double(face.face.score)))
    }
    return result
  }

  /// Around how many faces is looked in a frame: around as many as can be followed in the first one, then
  /// around one at a time.
  private func looks(at time: UInt64) -> Int {
    if !hasPast { return faces.count }
    return time < lastLook || time - lastLook >= Self.timeOfLook ? 1 : 0
  }

  /// Forgets all faces: the next frame is looked at as the first one.
  public func reset() {
    detector.reset()
    halfHidden.reset()
    tracker.reset()
    hasPast = false
  }
}
