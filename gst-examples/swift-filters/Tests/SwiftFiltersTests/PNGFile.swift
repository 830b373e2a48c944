#if canImport(Glibc)
  import Glibc
#endif
import Testing

@testable import SwiftFilters

/// A file in the temporary folder.
///
/// It is deleted with this object.
final class TemporaryFile {
  let path: String

  init(_ bytes: [UInt8]) throws {
    var name = Array("/tmp/swift-filters-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&name)
    try #require(descriptor >= 0)
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let written = unsafe write(descriptor, bytes, bytes.count)
    close(descriptor)
    try #require(written == bytes.count)
  }

  /// Writes a picture as PNG.
  convenience init(png image: ColorImage) throws { try self.init(PNGFile.bytes(image)) }

  deinit { unsafe unlink(path) }
}

/// Writes pictures as PNG: RFC 2083, without compression.
enum PNGFile {
  static func bytes(_ image: ColorImage) -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<image.height {
      rows.append(0)
      rows += image.bytes[4 * y * image.width..<4 * (y + 1) * image.width]
    }
    var zlib: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: rows.count, by: 65535) {
      let block = rows[start..<min(start + 65535, rows.count)]
      let count = UInt16(block.count)
      zlib.append(start + block.count == rows.count ? 1 : 0)
      for number in [count, ~count] { zlib += [UInt8(number & 255), UInt8(number >> 8)] }
      zlib += block
    }
    zlib += big(adler(rows))
    let header = big(UInt32(image.width)) + big(UInt32(image.height)) + [8, 6, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("IDAT", zlib) + chunk("IEND", [])
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return big(UInt32(data.count)) + body + big(crc(body))
  }

  /// The checksum after a chunk's data.
  static func checksum(_ name: String, _ data: [UInt8]) -> [UInt8] {
    big(crc(Array(name.utf8) + data))
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return b << 16 | a
  }
}
