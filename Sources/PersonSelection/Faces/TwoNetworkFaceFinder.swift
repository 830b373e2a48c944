import Matting
import PixelTypes

/// Finds the faces in the frames of a stream to separate touching people.
///
/// Not thread-safe.
public protocol FaceFinder: AnyObject {
  /// Returns the faces in a frame of `format` at `time` nanoseconds.
  ///
  /// `isShown` returns whether the matte shows a person at a column and a row of the frame.
  ///
  /// Throws `SegmentationError` if the inference fails.
  func find(
    in frame: Frame, format: FrameFormat, at time: UInt64, isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) -> [Face]

  /// Forgets where faces were, because the next frame shows another scene.
  func reset()
}

/// Finds faces with one network, and half-hidden faces behind them with another.
public final class TwoNetworkFaceFinder: FaceFinder {
  private let detector: FaceDetector
  private let halfHidden: HalfHiddenFaces
  /// The faces detected in this frame.
  private var faces: [Face] = []
  private var hasPast = false
  /// The time of the last look around a face, in nanoseconds.
  private var lastLook: UInt64 = 0

  /// The number of detector passes over the first frame, after which all its crops were searched.
  private static let firstPasses = 8

  /// The time between looks for half-hidden faces around a face, in nanoseconds.
  ///
  /// Faces are searched once per inference. With an inference in each of 30 frames per second, a
  /// newcomer next to a single person is detected within a tenth of a second.
  private static let lookInterval: UInt64 = 60_000_000

  /// Creates a finder, the only user of the given detectors.
  public init(_ detector: FaceDetector, halfHidden: HalfHiddenFaces) {
    (self.detector, self.halfHidden) = (detector, halfHidden)
  }

  /// Returns the faces in a frame, as described in `FaceFinder`.
  ///
  /// Throws `SegmentationError` if the frame does not have `format`, or if an inference fails.
  public func find(
    in frame: Frame, format: FrameFormat, at time: UInt64, isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) -> [Face] {
    if !hasPast {
      for _ in 1..<Self.firstPasses { _ = try detector.detect(in: frame, format: format) }
    }
    faces.removeAll(keepingCapacity: true)
    faces += try detector.detect(in: frame, format: format)
    let looks = looks(at: time)
    faces += try halfHidden.find(
      in: frame, format: format, behind: faces, looks: looks, isShown: isShown)
    if looks > 0 { lastLook = time }
    hasPast = true
    return faces
  }

  /// The number of faces to look around in a frame.
  ///
  /// The first frame has a look around all of them, up to the maximum. Later frames have at most
  /// one.
  private func looks(at time: UInt64) -> Int {
    if !hasPast { return faces.count }
    return time < lastLook || time - lastLook >= Self.lookInterval ? 1 : 0
  }

  /// Forgets where faces were, so that the next frame is searched like the first one.
  public func reset() {
    detector.reset()
    halfHidden.reset()
    hasPast = false
  }
}
