import InputFiles
import TestSupport

extension FuzzTarget {
  /// The bytes are a file.
  func inspectPicture(_ bytes: [UInt8]) throws(Finding) {
    let folder = TemporaryFolder(in: Self.memory)
    let path = folder.write("picture", bytes)
    let picture: PictureInspection
    do throws(FileError) {
      picture = PictureInspection(try RegularFile(path: path))
    } catch {
      throw Finding("an existing file was not opened: \(error)")
    }
    if let orientation = picture.orientation {
      try expect(1...8 ~= orientation, "an invalid orientation: \(orientation)")
    }
    if let (width, height) = picture.size {
      try expect(width >= 0 && height >= 0, "a negative size: \(width)x\(height)")
    }
    try expect(!picture.isHEIF || picture.needsPixbuf, "HEIC is not decoded by gdk-pixbuf")
    try expect(!(picture.isGIF && picture.isPicture), "a GIF counts as a still picture")
  }
}
