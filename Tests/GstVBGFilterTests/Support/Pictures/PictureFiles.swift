import Glibc

/// Picture files that are built byte by byte.
enum PictureFiles {
  static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func bigEndian(_ number: Int, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
  }

  static func littleEndian(_ number: Int, count: Int) -> [UInt8] {
    bigEndian(number, count: count).reversed()
  }

  /// Returns a chunk of a PNG file.
  static func pngChunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(name.utf8) + data
    return bigEndian(data.count, count: 4) + checked + bigEndian(checksum(checked), count: 4)
  }

  /// Returns a square PNG with eight bits per sample, all zero.
  ///
  /// The file is a hundred times smaller than its pixels.
  static func zeroPNG(side: Int, hasAlpha: Bool) -> [UInt8] {
    png(side: side, [8, hasAlpha ? 6 : 0], deflatedZeros(side * (1 + (hasAlpha ? 4 : 1) * side)))
  }

  /// Returns a square PNG of compressed data, with a depth and a kind of colour.
  private static func png(side: Int, _ kind: [UInt8], _ data: [UInt8]) -> [UInt8] {
    let size = bigEndian(side, count: 4)
    return pngSignature + pngChunk("IHDR", size + size + kind + [0, 0, 0])
      + pngChunk("IDAT", data) + pngChunk("IEND", [])
  }

  /// Returns a PNG of one colour with 16 bits per sample.
  ///
  /// Each sample is the byte of the colour twice.
  static func deepPNG(side: Int, color: StoredColor, hasAlpha: Bool) -> [UInt8] {
    let pixel: [UInt8] = color.bytes.prefix(hasAlpha ? 4 : 3).flatMap { [$0, $0] }
    let row: [UInt8] = [0] + Array(repeating: pixel, count: side).joined()
    let rows: [UInt8] = Array(Array(repeating: row, count: side).joined())
    // One uncompressed block of at most 65535 bytes.
    let block =
      [1] + littleEndian(rows.count, count: 2) + littleEndian(~rows.count & 0xFFFF, count: 2) + rows
    var (a, b) = (1, 0)
    for byte in rows {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    let data = [0x78, 0x01] + block + bigEndian(b, count: 2) + bigEndian(a, count: 2)
    return png(side: side, [16, hasAlpha ? 6 : 2], data)
  }

  /// Codes of some bits each, written from the lowest bit of the first byte.
  private struct Codes {
    private(set) var bytes: [UInt8] = []
    private var (pending, bits) = (0, 0)

    mutating func append(_ code: Int, _ length: Int) {
      pending |= code << bits
      bits += length
      while bits >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: pending))
        pending >>= 8
        bits -= 8
      }
    }
  }

  /// Returns zeros in zlib's format: one block with the fixed code and repetitions of 258 bytes.
  private static func deflatedZeros(_ count: Int) -> [UInt8] {
    var codes = Codes()
    codes.append(0b011, 3)
    for _ in 0...(count - 1) % 258 { codes.append(0x0C, 8) }
    for _ in 0..<(count - 1) / 258 { codes.append(0xA3, 13) }
    codes.append(0, 14)
    return [0x78, 0x01] + codes.bytes + bigEndian(count % 65521, count: 2) + bigEndian(1, count: 2)
  }

  /// Returns a JPEG file with another size in its header, without the pixels for it.
  static func resize(jpeg: [UInt8], side: Int) -> [UInt8] {
    // The frame header: marker, length, precision, height and width.
    guard let frame = jpeg.indices.first(where: { jpeg[$0...].starts(with: [0xFF, 0xC0, 0x00]) })
    else { return jpeg }
    let size = bigEndian(side, count: 2) + bigEndian(side, count: 2)
    return jpeg[..<(frame + 5)] + size + jpeg[(frame + 9)...]
  }

  /// Returns a BMP file of one colour with 24 bits per pixel.
  static func bmp(width: Int, height: Int, color: StoredColor) -> [UInt8] {
    let row =
      (0..<width).flatMap { _ in [color.blue, color.green, color.red] }
      + Array(repeating: 0, count: (4 - width * 3 % 4) % 4)
    let size = row.count * height
    let file = Array("BM".utf8) + littleEndian(54 + size, count: 4) + [0, 0, 0, 0, 54, 0, 0, 0]
    let picture =
      littleEndian(40, count: 4) + littleEndian(width, count: 4) + littleEndian(height, count: 4)
      + [1, 0, 24, 0, 0, 0, 0, 0] + littleEndian(size, count: 4) + Array(repeating: 0, count: 16)
    return file + picture + (0..<height).flatMap { _ in row }
  }

  /// Returns an animated GIF of at most four plain gray pictures, each shown for a tenth of a
  /// second or for its delay in hundredths of a second.
  ///
  /// The file is small even if the pictures are large.
  static func plainGIF(
    width: Int, height: Int, grays: [UInt8], delays: [UInt8] = [10, 10, 10, 10]
  ) -> [UInt8] {
    let size = littleEndian(width, count: 2) + littleEndian(height, count: 2)
    let table = (0..<4).flatMap { Array(repeating: $0 < grays.count ? grays[$0] : 0, count: 3) }
    let repeats: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    let pictures = grays.indices.flatMap { index -> [UInt8] in
      let data = compressedRun(of: index, count: width * height)
      let pieces = stride(from: 0, to: data.count, by: 255).flatMap { start in
        let piece = data[start..<min(start + 255, data.count)]
        return [UInt8(piece.count)] + piece
      }
      let control = [0x21, 0xF9, 4, 0, delays[index], 0, 0, 0]
      return control + [0x2C, 0, 0, 0, 0] + size + [0, 2] + pieces + [0]
    }
    return Array("GIF89a".utf8) + size + [0x91, 0, 0] + table + repeats + pictures + [0x3B]
  }

  /// Returns pixels of one of four colours, compressed by GIF's LZW.
  ///
  /// Each code stands for one pixel more than the previous code.
  private static func compressedRun(of index: Int, count: Int) -> [UInt8] {
    var codes = Codes()
    let (clear, end, first) = (4, 5, 6)
    var (left, next, width) = (count, 4096, 3)
    while left > 0 {
      if next == 4096 {
        codes.append(clear, width)
        (next, width) = (first, 3)
        codes.append(index, width)
        left -= 1
        continue
      }
      if next == 1 << width { width += 1 }
      let run = min(left, next - first + 2)
      codes.append(run == 1 ? index : first + run - 2, width)
      left -= run
      next += 1
    }
    if next == 1 << width, width < 12 { width += 1 }
    codes.append(end, width)
    codes.append(0, 7)
    return codes.bytes
  }

  /// Returns a TIFF file with one row of pixels and an orientation.
  static func tiff(_ colors: [StoredColor], orientation: Int) -> [UInt8] {
    let pixels = colors.flatMap { [$0.red, $0.green, $0.blue] }
    // Width, height, bits per sample, no compression, RGB and the offset of the pixels. Numbers
    // have 16 bits. The bits per sample follow the directory.
    let entries: [(tag: Int, count: Int, value: Int)] = [
      (256, 1, colors.count), (257, 1, 1), (258, 3, 134), (259, 1, 1), (262, 1, 2), (273, 1, 140),
      (274, 1, orientation), (277, 1, 3), (278, 1, 1), (279, 1, pixels.count),
    ]
    let head = Array("II".utf8) + [42, 0, 8, 0, 0, 0] + littleEndian(entries.count, count: 2)
    var file = head
    for (tag, count, value) in entries {
      file += littleEndian(tag, count: 2) + [3, 0]
      file += littleEndian(count, count: 4) + littleEndian(value, count: 4)
    }
    return file + [0, 0, 0, 0, 8, 0, 8, 0, 8, 0] + pixels
  }

  /// Returns an Exif block with an orientation, which may be invalid.
  static func exif(orientation value: Int, isBigEndian: Bool = false) -> [UInt8] {
    func number(_ number: Int, _ count: Int) -> [UInt8] {
      isBigEndian ? bigEndian(number, count: count) : littleEndian(number, count: count)
    }
    // Two entries: a resolution unit, which the reader skips, and the orientation.
    return Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
      + number(0x0128, 2) + number(3, 2) + number(1, 4) + number(2, 2) + [0, 0]
      + number(0x0112, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0] + number(0, 4)
  }

  /// Returns the file with an Exif block at the position that its format requires.
  static func embed(
    _ exif: [UInt8], in file: [UInt8], of encoding: StoredPicture.Encoding, hasAlpha: Bool = false,
    width: Int, height: Int
  ) -> [UInt8] {
    switch encoding {
    case .png:
      let end = file.count - 12
      return file[..<end] + pngChunk("eXIf", exif) + file[end...]
    case .jpeg:
      let data = Array("Exif\0\0".utf8) + exif
      return file[..<2] + [0xFF, 0xE1] + bigEndian(data.count + 2, count: 2) + data + file[2...]
    case .webp:
      // Metadata require the extended format. Its header indicates them.
      let extended =
        Array("VP8X".utf8) + littleEndian(10, count: 4) + [hasAlpha ? 0x18 : 0x08, 0, 0, 0]
        + littleEndian(width - 1, count: 3) + littleEndian(height - 1, count: 3)
      let padding: [UInt8] = exif.count % 2 == 0 ? [] : [0]
      let chunk = Array("EXIF".utf8) + littleEndian(exif.count, count: 4) + exif + padding
      let body = Array("WEBP".utf8) + extended + file[12...] + chunk
      return Array("RIFF".utf8) + littleEndian(body.count, count: 4) + body
    }
  }

  /// Returns the CRC-32 of PNG.
  private static func checksum(_ bytes: [UInt8]) -> Int {
    let table: [UInt32] = (0..<256).map { index in
      (0..<8).reduce(UInt32(index)) { value, _ in
        value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
      }
    }
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
    return Int(~value)
  }
}
