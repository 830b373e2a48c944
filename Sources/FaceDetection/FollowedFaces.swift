import InferenceTypes
import PixelTypes
import VirtualBackground

/// Finds and follows faces for whoever tells people apart by them.
public final class FollowedFaces: FaceFinder {
  private let detector: FaceDetector
  private let halfHidden: HalfHiddenFaces
  private let tracker = FaceTracker()
  /// The faces of this frame.
  private var faces: [Face] = []
  private var result: [SeenFace] = []
  private var hasPast = false
  /// When the frame before was, in nanoseconds.
  private var lastTime: UInt64 = 0

  /// The detector looks at some parts of a frame by turns; of the first frame it sees all parts.
  private static let turnsAtFirst = 8

  /// Enough for all places beside a face, and for what is around some of them.
  private static let looksAtFirst = 2 * HalfHiddenFaces.places.count

  /// In later frames there is one for each thirtieth of a second that has passed, so that half a face is
  /// found as soon where few frames are looked at; and no more than that many.
  private static let timeOfLook: UInt64 = 33_000_000
  private static let mostLooks: UInt64 = 4

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
    let hidden = try halfHidden.find(
      in: frame, format: format, beside: faces,
      looks: hasPast ? looks(at: time) : Self.looksAtFirst, isShown: isShown)
    if let hidden { faces.append(hidden) }
    hasPast = true
    lastTime = time
    result.removeAll(keepingCapacity: true)
    for face in tracker.follow(faces, at: time) {
      let box = face.face.box
      result.append(
        SeenFace(
          id: face.id, x: Double(box.center.x), y: Double(box.center.y), width: Double(box.width)))
    }
    return result
  }

  /// How many patches are looked at in a frame, but for the first one.
  private func looks(at time: UInt64) -> Int {
    let passed = time > lastTime ? time - lastTime : 0
    return Int(min(max(passed / Self.timeOfLook, 1), Self.mostLooks))
  }

  /// Forgets all faces: the next frame is looked at as the first one.
  public func forgetPast() {
    detector.forget()
    halfHidden.forget()
    tracker.forget()
    hasPast = false
  }
}
