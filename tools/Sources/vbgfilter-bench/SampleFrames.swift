#if canImport(Glibc)
  import Glibc
#endif
import PixelTypes
import VirtualBackground

/// A few NV12 frames in memory, of a person who moves a little.
final class SampleFrames {
  /// Size and colours of each frame.
  let format: FrameFormat
  /// What the frames show, for the user.
  let origin: String
  private let frames: [OwnedFrame]

  /// The number of frames.
  private static let count = 4
  /// Columns that the person moves from a frame to the next.
  private static let step = 4

  /// Takes the sample's person, scaled by GStreamer, or a pattern where the sample cannot be read.
  init(size: BenchmarkOptions.Size) {
    format = FrameFormat(
      width: size.width, height: size.height,
      colorimetry: Colorimetry(matrix: .bt709, range: .limited))
    let margin = (Self.count - 1) * Self.step
    let wide = OwnedFrame(width: format.width + margin, height: format.height)
    let isPerson = Self.paintPerson(on: wide)
    if !isPerson { Self.paintPattern(on: wide) }
    origin = isPerson ? "a person" : "a pattern, because \(SourceTree.person) cannot be shown"
    frames = (0..<Self.count).map { number in
      let frame = OwnedFrame(width: size.width, height: size.height)
      frame.copy(wide, from: number * Self.step)
      return frame
    }
  }

  /// A frame; after the last one comes the first.
  subscript(number: Int) -> OwnedFrame { frames[number % frames.count] }

  /// Writes all frames to a file, each its luma and then its chroma; false when that fails.
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

  /// Head and shoulders, as a camera in front of a screen sees them.
  private static func paintPerson(on target: OwnedFrame) -> Bool {
    guard let path = TemporaryFile() else { return false }
    let (luma, chroma) = (target.planes.luma, target.planes.chroma)
    let command = [
      "gst-launch-1.0", "-q", "filesrc", "location=" + SourceTree.person, "!", "decodebin", "!",
      "videoconvert", "!", "videocrop", "bottom=224", "!", "videoscale", "add-borders=false", "!",
      "video/x-raw,format=NV12,colorimetry=bt709,pixel-aspect-ratio=1/1,"
        + "width=\(luma.width),height=\(luma.height)",
      "!", "filesink", "location=" + path.path,
    ]
    guard unsafe access(SourceTree.person, R_OK) == 0, (try? ChildProcess.run(command)) != nil,
      let file = unsafe fopen(path.path, "r")
    else { return false }
    defer { unsafe fclose(file) }
    // GStreamer's default layout: rows without padding where the width is a multiple of four, as
    // those of the sizes here are.
    return [luma, chroma].allSatisfy {
      unsafe fread($0.base, 1, $0.width * $0.height, file) == $0.width * $0.height
    }
  }

  /// A light ellipse before darker waves.
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
