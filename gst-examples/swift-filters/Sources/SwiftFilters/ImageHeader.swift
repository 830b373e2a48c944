/// What the bytes of a picture file tell that decoders do not, or too late.
///
/// That is how it is to be turned, as GStreamer's decoders drop the Exif block; how large it is,
/// before they take memory for it; and whether its end is missing, of which some make a grey half.
/// Nothing in a file is trusted: each number is looked for within the file's size, and the number
/// of steps is limited.
struct ImageHeader {
  /// Columns and rows as they are stored; nil when it is not known.
  private(set) var size: (width: Int, height: Int)?
  /// How it is to be turned before it is looked at, in videoflip's words: `auto` when the file does
  /// not say, for there may be tags.
  private(set) var direction = "auto"
  /// Whether the file ends before the picture does.
  private(set) var isCutShort = false
  /// Whether this is a picture of a kind that holds one only, not perhaps a video.
  private(set) var isStill = true
  /// Whether this is a PNG of 16 bits a sample in colour.
  private(set) var isDeepColorPNG = false

  /// videoflip's words for Exif's orientations 1 to 8.
  private static let directions = [
    "identity", "horiz", "180", "vert", "ul-lr", "90r", "ur-ll", "90l",
  ]
  /// More pieces than a picture has.
  private static let mostPieces = 1 << 16
  /// Bytes of a JPEG's samples that an end is looked for in.
  private static let mostSamples = 1 << 28

  /// Looks into a file; of an unknown kind it finds out nothing.
  init(_ file: ImageFile) {
    let head = file.bytes(at: 0, count: 30)
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      readPNG(file, head)
    } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      readJPEG(file)
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
      readWebP(file, head)
    } else if head.starts(with: "II*\0".utf8) || head.starts(with: "MM\0*".utf8) {
      readExif(file, 0..<file.size)
    } else if head.starts(with: "GIF8".utf8) {
      isStill = false
      setSize(head.number(at: 6, count: 2), head.number(at: 8, count: 2))
      // libav's reader does not return from a file without its end mark.
      isCutShort = file.bytes(at: max(0, file.size - 16), count: 16).last { $0 != 0 } != 0x3B
    } else if head.starts(with: "BM".utf8) {
      // Negative heights, of pictures that begin at the top, are left to the decoder.
      setSize(head.number(at: 18, count: 4), head.number(at: 22, count: 4))
      if let size, size.height > Int(Int32.max) { self.size = nil }
    } else {
      isStill = false
    }
  }

  private mutating func setSize(_ width: Int?, _ height: Int?) {
    if let width, let height { size = (width, height) }
  }

  /// Chunks of length, name, data and checksum; the first one tells the size and the samples' kind.
  private mutating func readPNG(_ file: ImageFile, _ head: [UInt8]) {
    setSize(
      head.number(at: 16, count: 4, isBigEndian: true),
      head.number(at: 20, count: 4, isBigEndian: true))
    isDeepColorPNG = head.count > 25 && head[24] == 16 && head[25] != 0
    var offset = 8
    for _ in 0..<Self.mostPieces {
      let chunk = file.bytes(at: offset, count: 8)
      guard let length = chunk.number(at: 0, count: 4, isBigEndian: true), chunk.count == 8,
        offset + 12 + length <= file.size
      else {
        isCutShort = true
        return
      }
      if chunk[4...].elementsEqual("eXIf".utf8) {
        readExif(file, offset + 8..<offset + 8 + length)
      }
      if chunk[4...].elementsEqual("IEND".utf8) { return }
      offset += 12 + length
    }
  }

  /// Segments of a marker, a length and data; behind the one that begins a scan are its samples.
  private mutating func readJPEG(_ file: ImageFile) {
    var offset = 2
    for _ in 0..<Self.mostPieces {
      let segment = file.bytes(at: offset, count: 9)
      guard segment.count >= 2 else {
        isCutShort = true
        return
      }
      // Not where a marker should be: the decoder finds its way or does not.
      guard segment[0] == 0xFF else { return }
      switch segment[1] {
      case 0xD9: return
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD8: offset += 2
      case 0xDA:
        isCutShort = !Self.hasEnd(file, from: offset)
        return
      case let marker:
        guard let length = segment.number(at: 2, count: 2, isBigEndian: true) else {
          isCutShort = true
          return
        }
        if marker == 0xE1, length >= 2 {
          readExif(file, offset + 4..<offset + 2 + length)
        } else if 0xC0...0xCF ~= marker, ![0xC4, 0xC8, 0xCC].contains(marker) {
          setSize(
            segment.number(at: 7, count: 2, isBigEndian: true),
            segment.number(at: 5, count: 2, isBigEndian: true))
        }
        offset += 2 + length
      }
    }
  }

  /// Whether the mark of a JPEG's end is found; it is no part of any samples.
  private static func hasEnd(_ file: ImageFile, from start: Int) -> Bool {
    var offset = start
    while offset - start < mostSamples {
      let block = file.bytes(at: offset, count: 1 << 16)
      if block.count < 2 { return false }
      for index in 1..<block.count where block[index] == 0xD9 && block[index - 1] == 0xFF {
        return true
      }
      // The last byte may be the mark's first.
      offset += block.count - 1
    }
    return true
  }

  /// Chunks of name, length and data, padded to even length; the first one tells the size.
  private mutating func readWebP(_ file: ImageFile, _ head: [UInt8]) {
    guard let length = head.number(at: 4, count: 4), 8 + length <= file.size else {
      isCutShort = true
      return
    }
    let kind = head[12..<min(16, head.count)]
    if kind.elementsEqual("VP8X".utf8) {
      setSize(
        head.number(at: 24, count: 3).map { $0 + 1 }, head.number(at: 27, count: 3).map { $0 + 1 })
    } else if kind.elementsEqual("VP8L".utf8), let bits = head.number(at: 21, count: 4) {
      size = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    } else if kind.elementsEqual("VP8 ".utf8) {
      setSize(
        head.number(at: 26, count: 2).map { $0 & 0x3FFF },
        head.number(at: 28, count: 2).map { $0 & 0x3FFF })
    }
    var offset = 12
    for _ in 0..<Self.mostPieces {
      let chunk = file.bytes(at: offset, count: 8)
      guard let length = chunk.number(at: 4, count: 4) else { return }
      if chunk.starts(with: "EXIF".utf8) {
        readExif(file, offset + 8..<offset + 8 + length)
        return
      }
      offset += 8 + length + length % 2
    }
  }

  /// Looks for the orientation, a number of 16 bits, in the first directory of an Exif block, which
  /// is a TIFF file.
  private mutating func readExif(_ file: ImageFile, _ range: Range<Int>) {
    let head = file.bytes(at: range.lowerBound, count: 10)
    // What a JPEG has before it, and some WebP files, too.
    let hasPrefix = head.starts(with: "Exif\0\0".utf8)
    let range = hasPrefix ? range.dropFirst(6) : range
    let isBigEndian = head.dropFirst(hasPrefix ? 6 : 0).starts(with: "MM\0*".utf8)
    func number(at offset: Int, _ count: Int) -> Int? {
      guard offset >= 0, offset + count <= range.count else { return nil }
      return file.bytes(at: range.lowerBound + offset, count: count)
        .number(at: 0, count: count, isBigEndian: isBigEndian)
    }
    guard number(at: 0, 4) == (isBigEndian ? 0x4D4D_002A : 0x2A_4949),
      let directory = number(at: 4, 4), let count = number(at: directory, 2)
    else { return }
    for index in 0..<count {
      // Tag, type, count and value.
      let entry = directory + 2 + 12 * index
      guard let tag = number(at: entry, 2) else { return }
      guard tag == 0x0112, number(at: entry + 2, 2) == 3 else { continue }
      if let value = number(at: entry + 8, 2), Self.directions.indices ~= value - 1 {
        direction = Self.directions[value - 1]
      }
      return
    }
  }
}

extension [UInt8] {
  /// The number of `count` bytes at `offset`, the lowest first unless told; nil if it is not there.
  fileprivate func number(at offset: Int, count: Int, isBigEndian: Bool = false) -> Int? {
    guard offset >= 0, offset + count <= self.count else { return nil }
    let bytes = self[offset..<offset + count]
    return isBigEndian
      ? bytes.reduce(0) { $0 << 8 | Int($1) } : bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
