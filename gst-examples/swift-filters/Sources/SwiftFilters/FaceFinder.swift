import GstVideoFilterKit
import OpenVINOInference
import PersonSelection
import PixelTypes

/// Finds faces in small pictures of consecutive frames, and tracks them.
///
/// Not thread-safe.
final class FaceFinder {
  private let detector: FaceDetector
  private let tracker: FaceTracker
  private var picture: NV12Picture?
  private var lastTime: UInt64 = 0

  /// The maximum gap between two pictures, in nanoseconds.
  ///
  /// After a longer gap, for example a seek, tracking restarts.
  private static let longestGap: UInt64 = 1_000_000_000
  /// The minimum shorter side of a picture for detection, in pixels.
  private static let smallestSide = 16
  /// The longest side that the detector accepts, in pixels.
  private static let largestSide = 8192

  /// Loads the network, which takes some hundredths of a second.
  ///
  /// - Parameter holdTime: how long a lost face is still tracked, in nanoseconds.
  /// - Throws: `SegmentationError`, when OpenVINO or the network cannot be loaded.
  init(holdTime: UInt64) throws {
    detector = try FaceDetector()
    tracker = FaceTracker(holdTime: holdTime)
  }

  /// Returns the pictures to request for a stream.
  ///
  /// The shorter side of a picture has at least 256 pixels, unless the frame is smaller.
  static func request(for stream: VideoStream) -> PictureRequest {
    let long = max(stream.width, stream.height)
    let factor = max(
      long > largestSide ? 2 * ((long + 2 * largestSide - 1) / (2 * largestSide)) : 1,
      min(stream.width, stream.height) / 256 & ~1)
    return PictureRequest(
      maximumWidth: (stream.width + factor - 1) / factor, format: .rgb)
  }

  /// Returns the tracked faces in a picture, in its pixels.
  ///
  /// `time` is in nanoseconds.
  func faces(in colors: AnalysisPicture, at time: UInt64) throws -> [TrackedFace] {
    guard min(colors.width, colors.height) >= Self.smallestSide else { return [] }
    if time < lastTime || time - lastTime > Self.longestGap {
      detector.reset()
      tracker.reset()
    }
    lastTime = time
    let picture = self.picture.flatMap { $0.fits(colors) ? $0 : nil } ?? NV12Picture(colors)
    self.picture = picture
    picture.take(colors)
    return tracker.follow(
      try detector.detect(in: picture.frame, format: picture.format), at: time)
  }
}

/// An NV12 picture for the face detector.
///
/// Not thread-safe.
private final class NV12Picture {
  let format: FrameFormat
  private let luma: Raster<UInt8>
  private let chroma: Raster<UInt8>

  /// Allocates a picture of the size of another one.
  init(_ colors: AnalysisPicture) {
    // The colorimetry of the conversion below. The stream's does not matter for RGB.
    format = FrameFormat(
      width: colors.width, height: colors.height,
      colorimetry: Colorimetry(matrix: .bt601, range: .full))
    luma = Raster(width: format.width, height: format.height, filledWith: 0)
    chroma = Raster(
      width: 2 * format.chromaWidth, height: format.chromaHeight, filledWith: 128)
  }

  /// The planes, which are valid while this object is alive.
  var frame: Frame { Frame(luma: luma.plane, chroma: chroma.plane) }

  func fits(_ colors: AnalysisPicture) -> Bool {
    format.width == colors.width && format.height == colors.height
  }

  /// Converts an RGB picture of the same size.
  func take(_ colors: AnalysisPicture) {
    let (width, height) = (format.width, format.height)
    let bytes = colors.bytes.span
    precondition(fits(colors) && bytes.count == 3 * width * height)
    // The precondition guarantees that all indices below are inside the picture. At the edge of an
    // odd size, a chroma sample covers only one column or row, which counts twice. The weights are
    // from BT.601, in units of 1/65536.
    func color(_ x: Int, _ y: Int) -> SIMD4<Int32> {
      let at = 3 &* (y &* width &+ x)
      return unsafe SIMD4(
        Int32(bytes[unchecked: at]), Int32(bytes[unchecked: at &+ 1]),
        Int32(bytes[unchecked: at &+ 2]), 0)
    }
    func level(_ color: SIMD4<Int32>) -> UInt8 {
      UInt8(
        truncatingIfNeeded: (19595 &* color.x &+ 38470 &* color.y &+ 7471 &* color.z &+ 0x8000)
          &>> 16)
    }
    for y in stride(from: 0, to: height, by: 2) {
      let below = min(y + 1, height - 1)
      let (upperRow, lowerRow) = unsafe (luma.row(y), luma.row(below))
      let chromaRow = unsafe chroma.row(y / 2)
      for x in stride(from: 0, to: width, by: 2) {
        let right = min(x &+ 1, width &- 1)
        let (a, b) = (color(x, y), color(right, y))
        let (c, d) = (color(x, below), color(right, below))
        unsafe upperRow[x] = level(a)
        unsafe upperRow[right] = level(b)
        unsafe lowerRow[x] = level(c)
        unsafe lowerRow[right] = level(d)
        let sum = a &+ b &+ c &+ d
        let cb = -11056 &* sum.x &- 21712 &* sum.y &+ 32768 &* sum.z
        let cr = 32768 &* sum.x &- 27440 &* sum.y &- 5328 &* sum.z
        func code(_ value: Int32) -> UInt8 {
          UInt8(truncatingIfNeeded: min(255, 128 &+ ((value &+ 0x20000) &>> 18)))
        }
        unsafe chromaRow[x] = code(cb)
        unsafe chromaRow[x &+ 1] = code(cr)
      }
    }
  }
}
