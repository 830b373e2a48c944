#if canImport(Glibc)
  import Glibc
#endif
import PixelTypes

/// A few NV12 frames in memory, either from a clip or from the sample: a picture of a person in
/// motion.
final class SampleFrames {
  /// The size and the colorimetry of all frames.
  let format: FrameFormat
  /// A description of the frames, for the user.
  let origin: String
  /// Whether the frames form a stream, as the frames of a clip do.
  let areStream: Bool
  private let frames: [OwnedFrame]

  /// The number of frames of the sample.
  private static let count = 4
  /// The distance by which the person moves between consecutive frames, in columns.
  private static let step = 4

  /// The number of frames of a clip.
  ///
  /// At 1080p they take 750 MB, including the copies of the peer.
  private static let countOfClip = 60

  /// Reads the first frames of a clip, and scales them to a size without keeping the aspect ratio.
  ///
  /// - Throws: `ChildProcess.Failure`, when the clip cannot be decoded or is too short.
  init(size: BenchmarkOptions.Size, clip: String) throws(ChildProcess.Failure) {
    format = Self.format(of: size)
    origin = clip
    areStream = true
    let count = Self.countOfClip
    guard let file = TemporaryFile() else {
      throw ChildProcess.Failure(sentence: "the frames cannot be written to a temporary file")
    }
    let command = [
      "gst-launch-1.0", "-q", "filesrc", "location=" + clip, "!", "decodebin", "!", "videoconvert",
      "!", "videoscale", "add-borders=false", "!",
      Self.caps(width: size.width, height: size.height), "!", "identity",
      "eos-after=\(count + 1)", "!", "filesink", "location=" + file.path,
    ]
    guard (try? ChildProcess.run(command)) != nil else {
      throw ChildProcess.Failure(
        sentence: "\(clip) cannot be decoded: use a video file; see GStreamer's messages above")
    }
    frames = (0..<count).map { _ in OwnedFrame(width: size.width, height: size.height) }
    guard Self.read(frames, from: file.path) else {
      throw ChildProcess.Failure(
        sentence: "\(clip) has fewer than \(count) frames: use a longer one")
    }
  }

  /// Creates frames from the sample's picture, or from a pattern if the picture cannot be decoded.
  init(size: BenchmarkOptions.Size) {
    format = Self.format(of: size)
    areStream = false
    let margin = (Self.count - 1) * Self.step
    let wide = OwnedFrame(width: format.width + margin, height: format.height)
    let isPerson = Self.paintPerson(on: wide)
    if !isPerson { Self.paintPattern(on: wide) }
    origin = isPerson ? "a person" : "a pattern, because \(SourceTree.person) cannot be decoded"
    frames = (0..<Self.count).map { number in
      let frame = OwnedFrame(width: size.width, height: size.height)
      frame.copy(wide, from: number * Self.step)
      return frame
    }
  }

  /// The frame with a number, which may exceed the number of frames.
  ///
  /// After the last frame, a stream continues backwards. Other frames start again from the first.
  subscript(number: Int) -> OwnedFrame {
    frames[areStream ? Self.toAndFro(number, frames.count) : number % frames.count]
  }

  /// Returns the index of a frame if `count` frames are played forwards and backwards.
  ///
  /// In this order, the person never jumps.
  static func toAndFro(_ number: Int, _ count: Int) -> Int {
    let last = count - 1
    return last - abs(last - number % (2 * last))
  }

  /// Writes all frames to a file, each with luma before chroma.
  ///
  /// Returns false on failure.
  func write(to path: String) -> Bool {
    guard let file = unsafe fopen(path, "w") else { return false }
    var isWritten = true
    for frame in frames {
      for plane in [frame.planes.luma, frame.planes.chroma] {
        let count = plane.width * plane.height
        isWritten = unsafe fwrite(plane.base, 1, count, file) == count && isWritten
      }
    }
    return unsafe fclose(file) == 0 && isWritten
  }

  /// Paints the head and the shoulders of the sample's person, as a webcam shows them.
  ///
  /// Returns false if the picture cannot be decoded.
  private static func paintPerson(on target: OwnedFrame) -> Bool {
    guard let path = TemporaryFile() else { return false }
    let luma = target.planes.luma
    let command = [
      "gst-launch-1.0", "-q", "filesrc", "location=" + SourceTree.person, "!", "decodebin", "!",
      "videoconvert", "!", "videocrop", "bottom=224", "!", "videoscale", "add-borders=false", "!",
      caps(width: luma.width, height: luma.height), "!", "filesink", "location=" + path.path,
    ]
    return unsafe access(SourceTree.person, R_OK) == 0
      && (try? ChildProcess.run(command)) != nil && read([target], from: path.path)
  }

  /// Reads frames from a file in GStreamer's default layout.
  ///
  /// Returns false on failure.
  ///
  /// The width must be a multiple of four, so that rows have no padding.
  private static func read(_ frames: [OwnedFrame], from path: String) -> Bool {
    guard let file = unsafe fopen(path, "r") else { return false }
    defer { unsafe fclose(file) }
    return frames.flatMap { [$0.planes.luma, $0.planes.chroma] }.allSatisfy {
      unsafe fread($0.base, 1, $0.width * $0.height, file) == $0.width * $0.height
    }
  }

  private static func caps(width: Int, height: Int) -> String {
    "video/x-raw,format=NV12,colorimetry=bt709,pixel-aspect-ratio=1/1,width=\(width),"
      + "height=\(height)"
  }

  private static func format(of size: BenchmarkOptions.Size) -> FrameFormat {
    FrameFormat(
      width: size.width, height: size.height,
      colorimetry: Colorimetry(matrix: .bt709, range: .limited))
  }

  /// Paints a bright ellipse on a darker pattern.
  private static func paintPattern(on target: OwnedFrame) {
    let (luma, chroma) = (target.planes.luma, target.planes.chroma)
    for y in 0..<luma.height {
      for x in 0..<luma.width {
        let across = Double(2 * x - luma.width) / Double(luma.height)
        let down = Double(2 * y - luma.height) / Double(luma.height)
        let isInside = across * across * 4 + down * down < 0.8
        unsafe luma.row(y)[x] = isInside ? 190 : UInt8(60 + (x ^ y) & 31)
      }
    }
    for y in 0..<chroma.height {
      for x in 0..<chroma.width { unsafe chroma.row(y)[x] = UInt8(112 + (x + y) & 31) }
    }
  }
}
