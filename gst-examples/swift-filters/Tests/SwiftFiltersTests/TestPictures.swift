import CSwiftFilters
import Glibc
import Testing
import PictureFiles

@testable import SwiftFilters

/// Picture files of other kinds than PNG, by GStreamer's encoders, and what is put into them.
enum TestPictures {
  /// The kinds that the tests make.
  enum Kind: String, CaseIterable {
    case png, jpeg, webp

    fileprivate var encoder: String {
      switch self {
      case .png: "identity"
      // Full range, which jpegenc does not ask for by itself.
      case .jpeg:
        "pngdec ! videoconvert ! video/x-raw,format=I420,colorimetry=1:4:0:0 ! jpegenc quality=100"
      case .webp: "pngdec ! videoconvert ! webpenc lossless=true"
      }
    }

    /// Whether the encoder is there, and so most likely the decoder.
    var isInstalled: Bool {
      gst_init(nil, nil)
      guard self != .png else { return true }
      let factory = unsafe gst_element_factory_find(self == .jpeg ? "jpegenc" : "webpenc")
      if let factory = unsafe factory {
        unsafe gst_object_unref(UnsafeMutableRawPointer(factory))
      }
      return unsafe factory != nil
    }
  }

  /// A picture as a file of a kind; JPEGs have no alpha.
  static func bytes(_ image: ColorImage, as kind: Kind) throws -> [UInt8] {
    gst_init(nil, nil)
    let (source, target) = (try TemporaryFile(png: image), try TemporaryFile([]))
    let pipeline = try unsafe #require(
      gst_parse_launch(
        """
        filesrc location=\(source.path) blocksize=100000000 ! \(kind.encoder) ! \
        filesink location=\(target.path)
        """, nil))
    defer {
      unsafe swiftfilters_stop(pipeline)
      unsafe gst_object_unref(pipeline)
    }
    let bus = try unsafe #require(gst_element_get_bus(pipeline))
    defer { unsafe gst_object_unref(bus) }
    unsafe swiftfilters_play(pipeline)
    while let message = unsafe gst_bus_timed_pop(bus, 10_000_000_000) {
      defer { unsafe gst_message_unref(message) }
      let news = unsafe swiftfilters_message(message)
      try #require(news != SWIFTFILTERS_ERROR)
      if news == SWIFTFILTERS_END { break }
    }
    let file = try PictureFile(path: target.path)
    return file.read(at: 0, count: file.size)
  }

  /// An Exif block with a resolution's unit, which is skipped, and an orientation.
  static func exif(_ orientation: Int, isBigEndian: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      isBigEndian ? big(value, count) : big(value, count).reversed()
    }
    return Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
      + number(0x0128, 2) + number(3, 2) + number(1, 4) + number(2, 2) + [0, 0]
      + number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
      + number(0, 4)
  }

  /// The file with an Exif block put where its kind keeps it.
  static func embed(_ exif: [UInt8], in file: [UInt8], of kind: Kind, _ image: ColorImage)
    -> [UInt8]
  {
    switch kind {
    case .png:
      // Behind the picture, before the end mark. Decoders look at no checksum but the picture's.
      let chunk = big(exif.count, 4) + Array("eXIf".utf8) + exif + PNGFile.checksum("eXIf", exif)
      return Array(file.dropLast(12)) + chunk + file.suffix(12)
    case .jpeg:
      return Array(file.prefix(2)) + [0xFF, 0xE1] + big(exif.count + 8, 2) + Array("Exif\0\0".utf8)
        + exif
        + file.dropFirst(2)
    case .webp:
      func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        Array(name.utf8) + big(data.count, 4).reversed() + data + (data.count % 2 == 0 ? [] : [0])
      }
      let size = big(image.width - 1, 3).reversed() + big(image.height - 1, 3).reversed()
      // The flags say that there is alpha and Exif.
      let chunks = chunk("VP8X", [0x18, 0, 0, 0] + size) + file.dropFirst(12) + chunk("EXIF", exif)
      return Array("RIFF".utf8) + big(chunks.count + 4, 4).reversed() + Array("WEBP".utf8) + chunks
    }
  }

  /// A number, its highest byte first.
  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }
}
