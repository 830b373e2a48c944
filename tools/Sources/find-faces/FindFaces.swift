import PersonSelection
#if canImport(Glibc)
  import Glibc
#endif
import OpenVINOInference
import PixelTypes
import ToolSupport
import VirtualBackground

/// Finds the faces in NV12 frames from standard input and prints a line for each face.
@main struct FindFaces {
  private static let usage = """
    find-faces WIDTH HEIGHT [FRAMES-PER-SECOND] < frames.nv12

    Reads NV12 frames without padding. Prints a line for each face of each frame, with these fields,
    separated by tabs: the number of the frame, the face's ID, the left edge, upper edge, width and
    height of its box, its roll in degrees, its score, and 1 if it was detected in this frame or 0
    if it is only tracked. At the end, prints a summary on standard error.
    """

  static func main() {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      if arguments.contains("--help") { return print(usage) }
      try run(Array(arguments))
    } catch let error as UsageError {
      fail(error.sentence)
    } catch {
      fail("\(error)")
    }
  }

  private static func run(_ arguments: [String]) throws {
    let numbers = arguments.compactMap { Int($0) }
    guard numbers.count == arguments.count, 2...3 ~= numbers.count,
      numbers[0...1].allSatisfy({ 16...8192 ~= $0 }),
      1...1000 ~= numbers.last ?? 0
        || numbers.count == 2
    else { throw UsageError("invalid arguments; usage:\n\(usage)") }
    let format = FrameFormat(
      width: numbers[0], height: numbers[1],
      colorimetry: Colorimetry(matrix: numbers[1] < 720 ? .bt601 : .bt709, range: .limited))
    let rate = numbers.count > 2 ? numbers[2] : 30
    let luma = Raster<UInt8>(width: format.width, height: format.height, filledWith: 0)
    let chroma = Raster<UInt8>(
      width: 2 * format.chromaWidth, height: format.chromaHeight, filledWith: 0)
    let detector = try FaceDetector()
    let tracker = FaceTracker()
    var summary = DetectionSummary()
    while read(into: luma), read(into: chroma) {
      let began = MonotonicClock.now()
      let found = try detector.detect(
        in: Frame(luma: luma.plane, chroma: chroma.plane), format: format)
      let faces = tracker.follow(found, at: UInt64(summary.frames * 1_000_000_000 / rate))
      summary.add(nanoseconds: MonotonicClock.now() - began, isFound: !found.isEmpty)
      for face in faces { print(line(face, frame: summary.frames - 1)) }
    }
    guard summary.frames > 0 else { fail("the input contains no complete frame") }
    StandardError.write(line: summary.text(inferences: detector.inferences))
  }

  private static func line(_ tracked: TrackedFace, frame: Int) -> String {
    let (face, box) = (tracked.face, tracked.face.box)
    func rounded(_ value: Float) -> Float { (value * 10).rounded() / 10 }
    return [
      "\(frame)", "\(tracked.id)", "\(rounded(box.x))", "\(rounded(box.y))",
      "\(rounded(box.width))", "\(rounded(box.height))", "\(rounded(face.roll * 180 / .pi))",
      "\((face.score * 1000).rounded() / 1000)", tracked.missed == 0 ? "1" : "0",
    ].joined(separator: "\t")
  }

  /// Reads a plane.
  ///
  /// Returns false if the input ends before the end of the plane.
  private static func read(into raster: Raster<UInt8>) -> Bool {
    let count = raster.width * raster.height
    var position = 0
    while position < count {
      let step = unsafe Glibc.read(STDIN_FILENO, raster.base + position, count - position)
      if step <= 0 { return false }
      position += step
    }
    return true
  }

  private static func fail(_ sentence: String) -> Never {
    StandardError.fail(sentence, in: "find-faces")
  }
}
