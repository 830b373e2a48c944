#if canImport(Glibc)
  import Glibc
#endif
import PixelTypes

/// A few NV12 frames in memory, of a person in slight motion or from a clip.
final class SampleFrames {
  /// Size and colours of each frame.
  let format: FrameFormat
  /// A description of the frames, for the user.
  let origin: String
  /// Whether the frames form a stream, like a clip's.
  let areStream: Bool
  private let frames: [OwnedFrame]

  /// The number of frames.
  private static let count = 4
  /// Columns that the person moves from a frame to the next.
  private static let step = 4

  /// The number of frames of a clip.
  ///
  /// With the peers' copies they take 750 MB at 1080p.
  private static let countOfClip = 60

  /// Takes the first frames of a clip, stretched to the size by GStreamer.
  ///
  /// - Throws: `ChildProcess.Failure`, when the clip cannot be read.
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

  /// Takes the sample's person, scaled by GStreamer, or a pattern if the sample cannot be read.
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

  /// A frame.
  ///
  /// After the last one, a stream plays backwards, and other frames start again.
  subscript(number: Int) -> OwnedFrame {
    frames[areStream ? Self.toAndFro(number, frames.count) : number % frames.count]
  }

  /// The index of a frame if `count` frames play forwards and backwards, so that the person never
  /// jumps.
  static func toAndFro(_ number: Int, _ count: Int) -> Int {
    let last = count - 1
    return last - abs(last - number % (2 * last))
  }

  /// Writes all frames to a file, luma before chroma.
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

  /// Paints head and shoulders, as seen by a camera in front of a screen.
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

  /// Fills frames from a file in GStreamer's default layout.
  ///
  /// Returns false on failure.
  ///
  /// Rows need no padding if the width is a multiple of four. This holds for the sizes here.
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

  /// Paints a light ellipse in front of darker waves.
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
