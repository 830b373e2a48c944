import PictureFiles
import TestSupport

extension FuzzTarget {
  /// The bytes are a file.
  func inspectPicture(_ bytes: [UInt8]) throws(Finding) {
    let folder = TemporaryFolder(in: Self.memory)
    let path = folder.write("picture", bytes)
    let picture: PictureInspection
    do throws(PictureFileError) {
      picture = PictureInspection(try PictureFile(path: path))
    } catch {
      return try expect(bytes.isEmpty, "a file that is there is opened: \(error)")
    }
    if let orientation = picture.orientation {
      try expect(1...8 ~= orientation, "orientations are 1 to 8: \(orientation)")
    }
    if let (width, height) = picture.size {
      try expect(width >= 0 && height >= 0, "sizes are not negative: \(width)x\(height)")
    }
    try expect(!picture.isHEIF || picture.needsPixbuf, "only gdk-pixbuf decodes HEIC")
    try expect(!(picture.isGIF && picture.isPicture), "a GIF may be a video")
  }
}
