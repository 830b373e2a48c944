/// Properties of a picture file that its decoder does not report.
///
/// Decoders ignore the Exif block of PNG and WebP files. Some decoders return a partial picture if
/// the file is truncated. The file is not trusted: every read is checked against the file's size,
/// and the total number of bytes is limited.
public struct PictureInspection: Sendable {
  /// The Exif orientation, 1 to 8, or nil if the file does not specify it.
  public private(set) var orientation: Int?
  /// The stored columns and rows, known before a decoder allocates memory, or nil if unknown.
  public private(set) var size: (width: Int, height: Int)?
  /// Whether GStreamer's own decoders are not expected to show this picture correctly.
  ///
  /// Use gdk-pixbuf for such a picture.
  ///
  /// pngdec of GStreamer 1.22 mixes up the colours of 16-bit samples, and later versions still mix
  /// up the alpha of neighbouring pixels. jpegdec does not support CMYK, and shows 4:1:1 in green.
  /// avdec_tiff supports few kinds of TIFF.
  public private(set) var needsPixbuf = false
  /// Whether the decoder multiplies the colours by alpha, as the TIFF decoder does.
  public private(set) var isMultipliedByAlpha = false
  /// Whether this is a HEIC or AVIF picture.
  public private(set) var isHEIF = false
  /// `HLG` or `PQ` if the picture is HDR according to the file, otherwise nil.
  public private(set) var dynamicRange: String?
  /// The kind of the picture if no decoder shows it correctly, otherwise nil.
  public private(set) var unsupportedKind: String?
  /// Whether the file ends before the picture does.
  public private(set) var isCutShort = false
  /// Whether the inspection stopped before its end, so that all other properties are unreliable.
  ///
  /// It stops if it is cancelled or would read more than a gibibyte.
  public private(set) var isUnfinished = false

  /// Whether this is a still picture, unlike a GIF, a video or an unknown format.
  public private(set) var isPicture = true
  /// Whether this is a GIF.
  public private(set) var isGIF = false
  /// The duration of each picture of a GIF in nanoseconds, for at most `maxParts` pictures.
  ///
  /// libav's demuxer reports the first duration for all of them.
  public private(set) var delays: [UInt64] = []
  /// Whether this is a GIF with several pictures.
  public var isAnimated: Bool { delays.count > 1 }
  /// Whether this is a single picture, not a video or an animated GIF.
  public var isSingle: Bool { isPicture || (isGIF && !isAnimated) }

  /// The maximum number of chunks or segments that are read.
  ///
  /// Real pictures have fewer.
  private static let maxParts = 1 << 16
  /// The delay of a GIF's picture with a shorter one than `minDelay`, as in browsers, in hundredths
  /// of a second.
  private static let usualDelay = 10, minDelay = 2

  /// Inspects a file, which it reads in large pieces, and calls `isCancelled` before each piece.
  ///
  /// A file of an unknown format has no orientation and counts as complete.
  public init(_ file: borrowing RegularFile, isCancelled: @escaping () -> Bool = { false }) {
    let file = FilePieces(file, isCancelled: isCancelled)
    let head = file.bytes(at: 0, count: 30)
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      inspectPNG(file, head)
    } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      inspectJPEG(file)
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
      inspectWebP(file, head)
    } else if head.starts(with: "II*\0".utf8) || head.starts(with: "MM\0*".utf8) {
      inspectTIFF(file)
    } else if head.dropFirst(4).starts(with: "ftyp".utf8),
      Self.stillBrands.contains(where: head.dropFirst(8).starts(with:))
    {
      inspectHEIF(file)
    } else if head.starts(with: "GIF8".utf8) {
      inspectGIF(file, head)
    } else if head.starts(with: "BM".utf8) {
      inspectBitmap(head)
    } else {
      isPicture = false
    }
    isUnfinished = file.hasGivenUp || (isPicture && file.size > RegularFile.limit)
  }

  private mutating func setSize(_ width: Int?, _ height: Int?) {
    if let width, let height { size = (width, height) }
  }

  /// Reads the header of a Windows bitmap.
  ///
  /// A negative height means that rows start at the top.
  private mutating func inspectBitmap(_ head: [UInt8]) {
    let height = head.littleEndian(at: 22, count: 4).map { Int(Int32(truncatingIfNeeded: $0)) }
    setSize(head.littleEndian(at: 18, count: 4), height.map(abs))
  }

  /// Checks the blocks of a GIF.
  ///
  /// A header and a colour table come first. Each block has a header and data in parts, which end
  /// with an empty part. An end mark follows the last block. A control block before a picture
  /// contains its delay.
  private mutating func inspectGIF(_ file: FilePieces, _ head: [UInt8]) {
    isPicture = false
    isGIF = true
    isCutShort = true
    setSize(head.littleEndian(at: 6, count: 2), head.littleEndian(at: 8, count: 2))
    func tableSize(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
    guard head.count > 10 else { return }
    var offset = 13 + tableSize(head[10])
    var delay = Self.usualDelay
    while let kind = file.byte(at: offset) {
      switch kind {
      case 0x3B: return isCutShort = false
      case 0x21:
        if file.byte(at: offset + 1) == 0xF9, file.byte(at: offset + 2) == 4 {
          delay = file.bytes(at: offset + 4, count: 2).littleEndian(at: 0, count: 2) ?? 0
        }
        offset += 2
      case 0x2C:
        guard let flags = file.byte(at: offset + 9) else { return }
        offset += 10 + tableSize(flags) + 1
        if delays.count < Self.maxParts {
          delays.append(UInt64(delay < Self.minDelay ? Self.usualDelay : delay) * 10_000_000)
        }
        delay = Self.usualDelay
      default: return
      }
      while let length = file.byte(at: offset) {
        offset += 1 + Int(length)
        if length == 0 { break }
      }
    }
  }

  /// Reads the chunks of a PNG: length, name, data and checksum.
  private mutating func inspectPNG(_ file: FilePieces, _ head: [UInt8]) {
    // The first chunk begins with the width, the height, the bits of a sample and the colour type.
    setSize(head.bigEndian(at: 16, count: 4), head.bigEndian(at: 20, count: 4))
    needsPixbuf = head.count > 25 && head[24] == 16 && head[25] != 0
    var offset = 8
    for _ in 0..<Self.maxParts {
      let head = file.bytes(at: offset, count: 8)
      let data = offset + 8
      let end = data + (head.bigEndian(at: 0, count: 4) ?? file.size)
      guard end + 4 <= file.size else { return isCutShort = true }
      let name = head[4...]
      if name.elementsEqual("eXIf".utf8) {
        orientation = Self.orientation(inTIFFAt: data..<end, of: file)
      }
      if name.elementsEqual("cICP".utf8), let transfer = file.byte(at: data + 1) {
        dynamicRange = Self.dynamicRange(Int(transfer))
      }
      if name.elementsEqual("IEND".utf8) { return }
      offset = end + 4
    }
  }

  /// Reads the segments of a JPEG: marker, length and data, then compressed data after a scan's
  /// segment.
  private mutating func inspectJPEG(_ file: FilePieces) {
    var offset = 2
    for _ in 0..<Self.maxParts {
      let head = file.bytes(at: offset, count: 10)
      guard head.count >= 2 else { return isCutShort = true }
      // The marker is missing here. The decoder may or may not recover.
      guard head[0] == 0xFF else { return }
      switch head[1] {
      case 0xD9: return
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD8: offset += 2
      default:
        guard let length = head.bigEndian(at: 2, count: 2) else { return isCutShort = true }
        guard length >= 2 else { return }
        let end = offset + 2 + length
        if head[1] == 0xE1, orientation == nil, head[4...].elementsEqual("Exif\0\0".utf8),
          end >= offset + 10, end <= file.size
        {
          orientation = Self.orientation(inTIFFAt: (offset + 10)..<end, of: file)
        } else if 0xC0...0xCF ~= head[1], ![0xC4, 0xC8, 0xCC].contains(head[1]), size == nil {
          setSize(head.bigEndian(at: 7, count: 2), head.bigEndian(at: 5, count: 2))
          inspectJPEGFrame(marker: head[1], file.bytes(at: offset + 4, count: 15))
        }
        offset = head[1] == 0xDA ? marker(from: end, in: file) : end
      }
    }
  }

  /// Inspects a frame header.
  ///
  /// The header has the bits per sample, the size and, for each component, an ID, sampling factors
  /// and a quantization table number.
  private mutating func inspectJPEGFrame(marker: UInt8, _ header: [UInt8]) {
    guard header.count > 7 else { return isCutShort = true }
    // These are Huffman and arithmetic coding, sequential and progressive. The other markers are
    // lossless or hierarchical.
    if ![0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker) {
      unsupportedKind = "lossless or hierarchical JPEG"
    } else if header[0] != 8 {
      unsupportedKind = "JPEG with \(header[0]) bits per sample"
    }
    switch header[5] {
    case 1: needsPixbuf = header[7] != 0x11
    case 3 where header.count > 13:
      needsPixbuf =
        ![0x11, 0x12, 0x21, 0x22].contains(header[7])
        || header[10] != 0x11 || header[13] != 0x11
    default: needsPixbuf = true
    }
  }

  /// Returns the offset of the marker that ends compressed data, or the file's size if it is
  /// missing.
  private func marker(from start: Int, in file: FilePieces) -> Int {
    var offset = start
    while let found = file.offset(of: 0xFF, from: offset) {
      guard let next = file.byte(at: found + 1) else { return file.size }
      switch next {
      // A byte of data, a restart within the data, a filler.
      case 0x00, 0xD0...0xD7: offset = found + 2
      case 0xFF: offset = found + 1
      default: return found
      }
    }
    return file.size
  }

  /// Reads the chunks of a WebP: name, length and data, padded to even length.
  private mutating func inspectWebP(_ file: FilePieces, _ head: [UInt8]) {
    guard let length = head.littleEndian(at: 4, count: 4), 8 + length <= file.size else {
      return isCutShort = true
    }
    setSize(ofWebP: head)
    var offset = 12
    for _ in 0..<Self.maxParts {
      let head = file.bytes(at: offset, count: 14)
      guard let length = head.littleEndian(at: 4, count: 4) else { return }
      let end = offset + 8 + length
      if head.starts(with: "EXIF".utf8), end <= file.size {
        // Some writers keep the JPEG prefix of the block.
        let hasPrefix = length >= 6 && head[8...].elementsEqual("Exif\0\0".utf8)
        let start = offset + (hasPrefix ? 14 : 8)
        orientation = Self.orientation(inTIFFAt: start..<end, of: file)
        return
      }
      offset = end + length % 2
    }
  }

  /// Reads the size from the first chunk, which has a different layout in each kind of WebP.
  private mutating func setSize(ofWebP head: [UInt8]) {
    let kind = head.dropFirst(12)
    if kind.starts(with: "VP8X".utf8) {
      setSize(
        head.littleEndian(at: 24, count: 3).map { $0 + 1 },
        head.littleEndian(at: 27, count: 3).map { $0 + 1 })
    } else if kind.starts(with: "VP8L".utf8), let bits = head.littleEndian(at: 21, count: 4) {
      size = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    } else if kind.starts(with: "VP8 ".utf8) {
      setSize(
        head.littleEndian(at: 26, count: 2).map { $0 & 0x3FFF },
        head.littleEndian(at: 28, count: 2).map { $0 & 0x3FFF })
    }
  }

  /// The major brands of HEIF files with pictures or picture sequences.
  private static let stillBrands = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avif", "avis", "avci",
  ].map(\.utf8)

  /// Finds the box `meta`, which describes the pictures.
  private mutating func inspectHEIF(_ file: FilePieces) {
    isHEIF = true
    needsPixbuf = true
    var offset = 0
    for _ in 0..<64 {
      let head = file.bytes(at: offset, count: 8)
      guard let length = head.bigEndian(at: 0, count: 4), length >= 8 else { return }
      if head[4...].elementsEqual("meta".utf8) {
        let count = min(length, RegularFile.pieceSize)
        return inspectHEIFProperties(file.bytes(at: offset, count: count))
      }
      offset += length
    }
  }

  /// Reads the sizes and colours of all pictures in the file.
  ///
  /// It does not determine which of them belong to which picture.
  private mutating func inspectHEIFProperties(_ boxes: [UInt8]) {
    var (width, height): (Int, Int) = (0, 0)
    var ranges: [String?] = []
    for start in boxes.indices {
      let box = boxes[start...]
      if box.starts(with: "ispe".utf8) {
        width = max(width, boxes.bigEndian(at: start + 8, count: 4) ?? 0)
        height = max(height, boxes.bigEndian(at: start + 12, count: 4) ?? 0)
      } else if box.starts(with: "colrnclx".utf8) {
        ranges.append(boxes.bigEndian(at: start + 10, count: 2).flatMap(Self.dynamicRange))
      } else if box.starts(with: "colrprof".utf8) || box.starts(with: "colrrICC".utf8) {
        ranges.append(nil)
      }
    }
    if width > 0, height > 0 { size = (width, height) }
    // A file may have an HDR version next to an SDR picture.
    if ranges.allSatisfy({ $0 != nil }) { dynamicRange = ranges.first ?? nil }
  }

  /// Returns the kind of HDR for a transfer function of ITU-T H.273, or nil for SDR.
  private static func dynamicRange(_ transfer: Int) -> String? { [16: "PQ", 18: "HLG"][transfer] }

  /// Reads the directory of the first picture.
  private mutating func inspectTIFF(_ file: FilePieces) {
    needsPixbuf = true
    isMultipliedByAlpha = true
    let entries = Self.entries([256, 257, 274, 339], inTIFFAt: 0..<file.size, of: file)
    setSize(entries[256], entries[257])
    // The decoder reverses rows and columns, but does not transpose.
    orientation = entries[274].flatMap { value in
      1...8 ~= value ? (value < 5 ? 1 : value % 2 == 1 ? 5 : 7) : nil
    }
    if entries[339] == 3 { unsupportedKind = "TIFF with floating-point samples" }
  }

  /// Reads the orientation from a TIFF structure, such as an Exif block, in `range` of a file.
  private static func orientation(inTIFFAt range: Range<Int>, of file: FilePieces) -> Int? {
    entries([0x0112], inTIFFAt: range, of: file)[0x0112].flatMap { 1...8 ~= $0 ? $0 : nil }
  }

  /// Reads the first integer of each entry with one of `tags`, from a TIFF structure in a file.
  ///
  /// GStreamer's own Exif reader trusts the byte count in the file (CVE-2024-4453), so it must not
  /// read untrusted files.
  private static func entries(
    _ tags: Set<Int>, inTIFFAt range: Range<Int>, of file: FilePieces
  ) -> [Int: Int] {
    func number(at offset: Int, count: Int, _ isBigEndian: Bool) -> Int? {
      guard offset >= 0, offset + count <= range.count else { return nil }
      let bytes = file.bytes(at: range.lowerBound + offset, count: count)
      return (isBigEndian ? bytes : bytes.reversed()).bigEndian(at: 0, count: count)
    }
    // The byte order, the number 42, and the offset of the first picture's directory.
    let isBigEndian: Bool
    switch number(at: 0, count: 4, true) {
    case 0x4D4D_002A: isBigEndian = true
    case 0x4949_2A00: isBigEndian = false
    default: return [:]
    }
    guard let directory = number(at: 4, count: 4, isBigEndian),
      let count = number(at: directory, count: 2, isBigEndian)
    else { return [:] }
    // As in libtiff, the first entry of a tag counts, even if its type is unknown here.
    var found: [Int: Int?] = [:]
    for index in 0..<count {
      // Tag, type, count, and the values, or their offset if they have more than four bytes.
      let entry = directory + 2 + index * 12
      guard let tag = number(at: entry, count: 2, isBigEndian) else { break }
      guard tags.contains(tag), found[tag] == nil else { continue }
      found[tag] = .some(nil)
      guard let size = number(at: entry + 2, count: 2, isBigEndian).flatMap({ [3: 2, 4: 4][$0] }),
        let count = number(at: entry + 4, count: 4, isBigEndian)
      else { continue }
      let place = size * count <= 4 ? entry + 8 : number(at: entry + 8, count: 4, isBigEndian)
      found[tag] = place.flatMap { number(at: $0, count: size, isBigEndian) }
    }
    return found.compactMapValues { $0 }
  }
}

extension [UInt8] {
  /// Returns the big-endian number of `count` bytes at `offset`, or nil beyond the end.
  fileprivate func bigEndian(at offset: Int, count: Int) -> Int? {
    guard offset + count <= self.count else { return nil }
    return self[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the little-endian number of `count` bytes at `offset`, or nil beyond the end.
  fileprivate func littleEndian(at offset: Int, count: Int) -> Int? {
    guard offset + count <= self.count else { return nil }
    return self[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
