#if canImport(Glibc)
  import Glibc
#endif
import PixelTypes
import VirtualBackground

/// A few NV12 frames of a person who moves a little, in memory.
final class SampleFrames {
  /// Size and colours of each frame.
  let format: FrameFormat
  /// What the frames show.
  let origin: String
  private let pictures: [Picture]

  /// How many frames there are; after the last one comes the first.
  private static let count = 4
  /// Pixels that the picture moves from a frame to the next.
  private static let step = 4

  /// Takes the sample's person, scaled by GStreamer; a pattern where the sample is not there.
  init(size: Options.Size) {
    format = FrameFormat(
      width: size.width, height: size.height,
      colorimetry: Colorimetry(matrix: .bt709, range: .limited))
    let margin = (Self.count - 1) * Self.step
    let wide = Picture(width: format.width + margin, height: format.height)
    let isPerson = Self.paintPerson(on: wide)
    if !isPerson { Self.paintPattern(on: wide) }
    origin = isPerson ? "a person" : "a pattern, because \(SourceTree.person) cannot be shown"
    pictures = (0..<Self.count).map { number in
      let picture = Picture(width: size.width, height: size.height)
      picture.copy(wide, from: number * Self.step)
      return picture
    }
  }

  /// One of the frames.
  subscript(number: Int) -> Picture { pictures[number % pictures.count] }

  /// Writes all frames to a file, each its luma and then its chroma; false when that fails.
  func write(to path: String) -> Bool {
    guard let file = unsafe fopen(path, "w") else { return false }
    var isWritten = true
    for picture in pictures {
      for plane in [picture.frame.luma, picture.frame.chroma] {
        let count = plane.width * plane.height
        isWritten = unsafe fwrite(plane.base, 1, count, file) == count && isWritten
      }
    }
    return unsafe fclose(file) == 0 && isWritten
  }

  /// Head and shoulders, as a camera in front of a screen sees them.
  private static func paintPerson(on picture: Picture) -> Bool {
    guard let path = TemporaryFile() else { return false }
    let (luma, chroma) = (picture.frame.luma, picture.frame.chroma)
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
  private static func paintPattern(on picture: Picture) {
    let (luma, chroma) = (picture.frame.luma, picture.frame.chroma)
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

/// An NV12 frame that owns its memory.
final class Picture {
  private let luma: Raster<UInt8>
  private let chroma: Raster<UInt8>

  /// Allocates a grey frame of even width and height.
  init(width: Int, height: Int) {
    luma = Raster(width: width, height: height, filledWith: 128)
    chroma = Raster(width: width, height: height / 2, filledWith: 128)
  }

  /// The planes; valid for as long as the picture lives.
  var frame: Frame { Frame(luma: luma.plane, chroma: chroma.plane) }

  /// Copies a picture of the same size, plane by plane: the least that handing on a frame can cost.
  func copy(_ other: Picture) {
    unsafe memcpy(luma.base, other.luma.base, luma.width * luma.height)
    unsafe memcpy(chroma.base, other.chroma.base, chroma.width * chroma.height)
  }

  /// Copies the part of a wider picture that begins at an even column.
  func copy(_ other: Picture, from column: Int) {
    for (target, source) in [(luma, other.luma), (chroma, other.chroma)] {
      for y in 0..<target.height {
        unsafe target.row(y).update(from: source.row(y) + column, count: target.width)
      }
    }
  }
}

/// A file that is deleted when this ends.
final class TemporaryFile {
  /// Where it is.
  let path: String

  /// Makes an empty file; nil when the system does not let one be made.
  init?() {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    guard let name = unsafe strdup(folder + "/vbgfilter-bench.XXXXXX") else { return nil }
    defer { unsafe free(name) }
    let descriptor = unsafe mkstemp(name)
    guard descriptor >= 0 else { return nil }
    close(descriptor)
    path = unsafe String(cString: name)
  }

  deinit {
    unsafe unlink(path)
  }
}
