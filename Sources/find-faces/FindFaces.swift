import FaceDetection
#if canImport(Glibc)
  import Glibc
#endif
import OpenVINOInference
import PixelTypes
import VirtualBackground

/// Finds the faces in NV12 frames from the standard input and writes a line for each of them.
@main struct FindFaces {
  /// A sentence for the user.
  struct Mistake: Error {
    var sentence: String
  }

  private static let usage = """
    find-faces WIDTH HEIGHT [FRAMES-PER-SECOND] < frames.nv12

    Reads NV12 frames without padding and writes, separated by tabs, for each face of each frame:
    the frame's number, the face's id, left edge, upper edge, width and height of its box, its roll
    in degrees, its score, and 1 if it is in this frame or 0 if it is only expected to come back.
    Ends with a summary on the standard error.
    """

  static func main() {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      if arguments.contains("--help") { return print(usage) }
      try run(Array(arguments))
    } catch let mistake as Mistake {
      fail(mistake.sentence)
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
    else { throw Mistake(sentence: "wrong arguments; usage:\n\(usage)") }
    let format = FrameFormat(
      width: numbers[0], height: numbers[1],
      colorimetry: Colorimetry(matrix: numbers[1] < 720 ? .bt601 : .bt709, range: .limited))
    let rate = numbers.count > 2 ? numbers[2] : 30
    let luma = Raster<UInt8>(width: format.width, height: format.height, filledWith: 0)
    let chroma = Raster<UInt8>(
      width: 2 * format.chromaWidth, height: format.chromaHeight, filledWith: 0)
    let detector = try FaceDetector()
    let tracker = FaceTracker()
    var summary = Summary()
    while read(into: luma), read(into: chroma) {
      let begin = now()
      let found = try detector.detect(
        in: Frame(luma: luma.plane, chroma: chroma.plane), format: format)
      let faces = tracker.follow(found, at: UInt64(summary.frames * 1_000_000_000 / rate))
      summary.add(nanoseconds: now() - begin, isFound: !found.isEmpty)
      for face in faces { print(line(face, frame: summary.frames - 1)) }
    }
    guard summary.frames > 0 else { throw Mistake(sentence: "there is not one whole frame") }
    say(summary.text(inferences: detector.inferences))
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

  /// Reads one plane; false at the end of the input.
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

  private static func now() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private static func say(_ text: String) {
    let line = text + "\n"
    _ = unsafe Glibc.write(STDERR_FILENO, line, line.utf8.count)
  }

  private static func fail(_ text: String) -> Never {
    say("find-faces: " + text)
    exit(1)
  }
}

/// What was found in all frames, and what it took.
struct Summary {
  /// Frames that were looked at.
  private(set) var frames = 0
  private var framesWithFaces = 0
  private var times: [UInt64] = []

  /// Counts a frame.
  mutating func add(nanoseconds: UInt64, isFound: Bool) {
    frames += 1
    framesWithFaces += isFound ? 1 : 0
    times.append(nanoseconds)
  }

  /// All of it in a line.
  func text(inferences: Int) -> String {
    func share(_ part: Int, _ digits: Double) -> Double {
      (Double(part) / Double(max(frames, 1)) * digits).rounded() / digits
    }
    let sorted = times.sorted()
    let median = sorted.isEmpty ? 0 : Double(sorted[sorted.count / 2] / 1000) / 1000
    return "\(frames) frames, \(framesWithFaces) of them with a face "
      + "(\(100 * share(framesWithFaces, 10_000)) %), "
      + "\(share(inferences, 100)) inferences a frame, "
      + "\(median) ms a frame (median)"
  }
}
