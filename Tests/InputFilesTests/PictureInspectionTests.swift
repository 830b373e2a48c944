import InputFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The inspection of picture headers before decoding.
///
/// The tests build the headers by hand.
@Suite struct PictureInspectionTests {
  private let folder = TemporaryFolder()

  private func inspect(_ bytes: [UInt8]) throws -> PictureInspection {
    PictureInspection(try RegularFile(path: folder.write("picture", bytes)))
  }

  /// Returns a number as little-endian bytes.
  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Returns a TIFF structure with one directory and one entry, the orientation.
  private static func exif(_ orientation: Int) -> [UInt8] {
    Array("MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0".utf8)
      + [UInt8(orientation), 0, 0, 0, 0, 0, 0]
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    number(data.count, 4).reversed() + Array(name.utf8) + data + [0, 0, 0, 0]
  }

  private static func png(depth: UInt8, color: UInt8, _ chunks: [[UInt8]]) -> [UInt8] {
    let size = [0, 0, 4, 2, 0, 0, 3, 1] as [UInt8]
    let head = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] as [UInt8]
    return head + chunk("IHDR", size + [depth, color, 0, 0, 0]) + chunks.flatMap(\.self)
  }

  @Test func pngIsRead() throws {
    let end = Self.chunk("IEND", [])
    let plain = try inspect(Self.png(depth: 8, color: 2, [end]))
    #expect(plain.size ?? (0, 0) == (1026, 769))
    #expect(plain.isPicture && !plain.isCutShort && !plain.needsPixbuf)
    #expect(plain.orientation == nil)
    let turned = try inspect(
      Self.png(depth: 16, color: 6, [Self.chunk("eXIf", Self.exif(6)), end]))
    #expect(turned.orientation == 6 && turned.needsPixbuf)
    #expect(try inspect(Self.png(depth: 16, color: 0, [end])).needsPixbuf == false)
    #expect(try inspect(Self.png(depth: 8, color: 2, [])).isCutShort)
  }

  @Test func jpegIsRead() throws {
    let exif = Array("Exif\0\0".utf8) + Self.exif(8)
    let start = [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] as [UInt8]
    let tables = [0xFF, 0xC4, 0, 4, 1, 2] as [UInt8]
    let frame = [0xFF, 0xC2, 0, 8, 8, 1, 2, 3, 4, 0] as [UInt8]
    let scan = [0xFF, 0xDA, 0, 2, 9, 0xFF, 0, 0xD9, 0xFF, 0xD3, 9] as [UInt8]
    let whole = start + exif + tables + frame + scan + [0xFF, 0xD9]
    let picture = try inspect(whole)
    #expect(picture.size ?? (0, 0) == (772, 258))
    #expect(picture.orientation == 8)
    #expect(picture.isPicture && !picture.isCutShort)
    #expect(try inspect(whole.dropLast(2)).isCutShort)
  }

  @Test("reads pictures that are cut off at any byte")
  func truncatedPictures() throws {
    let pictures = TestFile.fixture("pictures")
    let frame: [UInt8] = [
      0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0, 0xFF, 0xD9,
    ]
    for length in 0..<frame.count where length > 2 {
      #expect(try inspect(Array(frame.prefix(length))).isCutShort, "\(length)")
    }
    for name in TemporaryFolder.entries(of: pictures) {
      let bytes = TestFile.bytes("\(pictures)/\(name)")
      for length in 0..<min(bytes.count, 600) { _ = try? inspect(Array(bytes.prefix(length))) }
    }
  }

  @Test("does not read the size of a TIFF if its entry has an unusual type")
  func sizeOfUnusualType() throws {
    func entry(_ tag: UInt8, type: UInt8, _ value: UInt8) -> [UInt8] {
      [tag, 1, type, 0, 1, 0, 0, 0, value, 0, 0, 0]
    }
    let head: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 3, 0]
    let height = entry(1, type: 3, 90)
    let usual = head + entry(0, type: 3, 160) + height + entry(0, type: 3, 9)
    #expect(try inspect(usual).size ?? (0, 0) == (160, 90))
    // The first entry of a tag takes precedence.
    let unusual = head + entry(0, type: 1, 160) + height + entry(0, type: 3, 9)
    #expect(try inspect(unusual).size == nil)
  }

  @Test("recognises JPEGs that GStreamer's decoder shows incorrectly")
  func jpegKinds() throws {
    func frame(_ marker: UInt8, bits: UInt8 = 8, _ factors: [UInt8]) -> [UInt8] {
      let components: [[UInt8]] = factors.map { [1, $0, 0] }
      let length = UInt8(8 + 3 * factors.count)
      let head: [UInt8] = [0xFF, 0xD8, 0xFF, marker, 0, length, bits, 0, 16, 0, 16]
      return head + [UInt8(factors.count)] + components.flatMap(\.self) + [0xFF, 0xD9]
    }
    for factors in [[0x11], [0x22, 0x11, 0x11], [0x21, 0x11, 0x11]] as [[UInt8]] {
      #expect(try inspect(frame(0xC0, factors)).needsPixbuf == false, "\(factors)")
    }
    for factors in [
      [0x41, 0x11, 0x11], [0x14, 0x11, 0x11], [0x22, 0x21, 0x11], [0x22],
      [0x11, 0x11, 0x11, 0x11],
    ] as [[UInt8]] {
      #expect(try inspect(frame(0xC0, factors)).needsPixbuf, "\(factors)")
    }
    #expect(try inspect(frame(0xC2, [0x11])).unsupportedKind == nil)
    #expect(try inspect(frame(0xC3, [0x11])).unsupportedKind?.contains("lossless") == true)
    #expect(try inspect(frame(0xC1, bits: 12, [0x11])).unsupportedKind?.contains("12") == true)
  }

  @Test("reads size, sample format, and the part of the orientation that the decoder ignores")
  func tiffIsRead() throws {
    func file(_ entries: [(tag: Int, count: Int, value: Int)]) -> [UInt8] {
      var file = Array("II*\0".utf8) + Self.number(8, 4) + Self.number(entries.count, 2)
      for (tag, count, value) in entries {
        file += Self.number(tag, 2) + [3, 0] + Self.number(count, 4) + Self.number(value, 4)
      }
      return file + [3, 0, 3, 0, 3, 0]
    }
    let picture = try inspect(file([(256, 1, 300), (257, 1, 200), (274, 1, 6)]))
    #expect(picture.size ?? (0, 0) == (300, 200) && picture.orientation == 7)
    #expect(picture.needsPixbuf && picture.unsupportedKind == nil)
    #expect(try inspect(file([(339, 3, 22)])).unsupportedKind?.contains("floating") == true)
    #expect(try inspect(file([(339, 3, 1 << 31)])).unsupportedKind == nil)
  }

  @Test("reads the size and the dynamic range of a HEIC or AVIF picture")
  func heifIsRead() throws {
    func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Self.number(8 + content.count, 4).reversed() + Array(name.utf8) + content
    }
    func file(_ brand: String, _ boxes: [UInt8]) -> [UInt8] {
      box("ftyp", Array(brand.utf8) + [0, 0, 0, 0]) + box("meta", boxes)
    }
    let size = box("ispe", [0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 3, 0])
    let (pq, sdr) = ([0, 9, 0, 16, 0, 9, 0], [0, 1, 0, 13, 0, 1, 0]) as ([UInt8], [UInt8])
    func color(_ numbers: [UInt8]) -> [UInt8] { box("colr", Array("nclx".utf8) + numbers) }
    let picture = try inspect(file("heic", size + color(sdr)))
    #expect(picture.isHEIF && picture.isPicture && picture.needsPixbuf)
    #expect(picture.size ?? (0, 0) == (1024, 768) && picture.dynamicRange == nil)
    #expect(try inspect(file("avif", size + color(pq))).dynamicRange == "PQ")
    #expect(try inspect(file("avif", color(sdr) + color(pq))).dynamicRange == nil)
    #expect(try inspect(file("isom", size)).isPicture == false)
    let end = Self.chunk("IEND", [])
    let png = Self.png(depth: 8, color: 2, [Self.chunk("cICP", [9, 18, 0, 1]), end])
    #expect(try inspect(png).dynamicRange == "HLG")
  }

  @Test func webPIsRead() throws {
    func file(_ kind: String, _ data: [UInt8], _ more: [UInt8] = []) -> [UInt8] {
      let body = Array("WEBP".utf8) + Array(kind.utf8) + Self.number(data.count, 4) + data + more
      return Array("RIFF".utf8) + Self.number(body.count, 4) + body
    }
    let flags = [8, 0, 0, 0] as [UInt8]
    let exif = Array("EXIF".utf8) + Self.number(Self.exif(3).count, 4) + Self.exif(3)
    let extended = file("VP8X", flags + Self.number(19_999, 3) + Self.number(699, 3), exif)
    #expect(try inspect(extended).size ?? (0, 0) == (20_000, 700))
    #expect(try inspect(extended).orientation == 3)
    #expect(try inspect(extended.dropLast()).isCutShort)
    let lossless = file("VP8L", [0x2F] + Self.number(639 | 359 << 14, 4) + [0, 0, 0, 0, 0])
    #expect(try inspect(lossless).size ?? (0, 0) == (640, 360))
    let lossy = file(
      "VP8 ", [0, 0, 0, 0x9D, 1, 0x2A] + Self.number(0x4000 | 800, 2) + Self.number(600, 2))
    #expect(try inspect(lossy).size ?? (0, 0) == (800, 600))
  }

  @Test func otherKindsAreRead() throws {
    let bitmap = Array("BM".utf8) + Array(repeating: 0, count: 16)
    let upsideDown = bitmap + Self.number(300, 4) + Self.number(-200, 4)
    #expect(try inspect(upsideDown).size ?? (0, 0) == (300, 200))
    let lowest = bitmap + Self.number(300, 4) + Self.number(1 << 31, 4)
    #expect(try inspect(lowest).size ?? (0, 0) == (300, 1 << 31))
    let gif = Array("GIF89a".utf8) + Self.number(320, 2) + Self.number(240, 2) + [0, 0, 0]
    #expect(try inspect(gif + [0x3B]).size ?? (0, 0) == (320, 240))
    #expect(try inspect(gif + [0x3B]).isGIF)
    #expect(try inspect(gif).isCutShort)
    #expect(try inspect(Self.exif(5)).orientation == 5)
    #expect(try inspect(Self.exif(9)).orientation == nil)
    let unknown = try inspect(Array("some text".utf8))
    #expect(!unknown.isPicture && unknown.size == nil && !unknown.isCutShort)
  }

  /// Returns a GIF with `pictures` pictures, each with `blocks` data blocks of one byte.
  private static func gif(pictures: Int = 1, blocks: Int) -> [UInt8] {
    let head = Array("GIF89a".utf8) + number(16, 2) + number(16, 2) + [0, 0, 0]
    let start: [UInt8] = [0x2C, 0, 0, 0, 0, 16, 0, 16, 0, 0, 2]
    let picture = start + [UInt8](repeating: 1, count: 2 * blocks) + [0]
    return head + [[UInt8]](repeating: picture, count: pictures).flatMap(\.self) + [0x3B]
  }

  @Test func animationsAreRecognised() throws {
    let still = try inspect(Self.gif(blocks: 3))
    #expect(still.isGIF && !still.isPicture && !still.isAnimated && !still.isCutShort)
    let animated = try inspect(Self.gif(pictures: 2, blocks: 3))
    #expect(animated.isGIF && animated.isAnimated && !animated.isCutShort)
    #expect(try inspect(Self.gif(pictures: 2, blocks: 3).dropLast()).isCutShort)
  }

  @Test("reads the delay of each picture of a GIF, and replaces tiny ones as browsers do")
  func delays() throws {
    func picture(_ delay: Int?) -> [UInt8] {
      (delay.map { [0x21, 0xF9, 4, 0] + Self.number($0, 2) + [0, 0] } ?? [])
        + [0x2C, 0, 0, 0, 0, 16, 0, 16, 0, 0, 2, 1, 1, 0]
    }
    let head = Array("GIF89a".utf8) + Self.number(16, 2) + Self.number(16, 2) + [0, 0, 0]
    let comment: [UInt8] = [0x21, 0xFE, 4, 0xF9, 4, 0xFF, 0xFF, 0]
    let delays = [100, 2, 1, 0, 65_535]
    let bytes = head + delays.flatMap { picture($0) } + comment + picture(nil) + [0x3B]
    let wanted: [UInt64] = [1000, 20, 100, 100, 655_350, 100]
    #expect(try inspect(bytes).delays == wanted.map { $0 * 1_000_000 })
  }

  @Test("reads a file in large pieces even if its parts are small")
  func pieces() async {
    // The kernel counts the calls of the whole process.
    await #expect(processExitsWith: .success) {
      func readCalls() throws -> Int {
        try #require(TestFile.number("syscr", in: "/proc/self/io"))
      }
      let bytes = Self.gif(blocks: 1 << 20)
      let folder = TemporaryFolder()
      let file = try RegularFile(path: folder.write("picture", bytes))
      let before = try readCalls()
      let inspection = PictureInspection(file)
      #expect(try readCalls() - before < 100)
      #expect(inspection.isGIF && !inspection.isCutShort)
    }
  }

  @Test func aCancelledInspectionEnds() throws {
    let file = try RegularFile(path: folder.write("picture", Self.gif(blocks: 1 << 18)))
    for most in [0, 1, 3] {
      var count = 0
      let inspection = PictureInspection(
        file,
        isCancelled: {
          count += 1
          return count > most
        })
      #expect(inspection.isUnfinished)
      #expect(count == most + 1)
    }
    #expect(!PictureInspection(file).isUnfinished)
  }

  /// A sparse PNG of 4 GiB with chunks that are far apart.
  @Test func theInspectionOfAnEndlessFileStops() throws {
    let path = folder.write("picture", Self.png(depth: 8, color: 2, []))
    let descriptor = unsafe open(path, O_WRONLY)
    defer { close(descriptor) }
    let step = 1 << 16
    let chunk = Self.number(step - 12, 4).reversed() + Array("tEXt".utf8)
    for index in 0..<(1 << 16) {
      try #require(unsafe pwrite(descriptor, chunk, chunk.count, 33 + index * step) == chunk.count)
    }
    var count = 0
    let inspection = PictureInspection(
      try RegularFile(path: path),
      isCancelled: {
        count += 1
        return false
      })
    #expect(inspection.isUnfinished)
    #expect(count <= 1 << 14)
  }

  /// Damaged files never cause a read beyond the end of the file.
  @Test func damagedFilesAreHarmless() throws {
    var random = SeededGenerator(seed: 7)
    let heads: [[UInt8]] = [
      Self.png(depth: 8, color: 2, [Self.chunk("eXIf", Self.exif(6))]),
      [0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF] + Array("Exif\0\0".utf8) + Self.exif(8),
      Array("RIFF\u{40}\0\0\0WEBPVP8X\u{A}\0\0\0".utf8), Array("GIF89a".utf8), Array("BM".utf8),
      Self.exif(1),
    ]
    for head in heads {
      for count in 1...head.count { _ = try inspect(Array(head.prefix(count))) }
      for _ in 0..<200 {
        var bytes = head + (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes[Int.random(in: 2..<bytes.count, using: &random)] = 0xFF
        let inspection = try inspect(bytes)
        #expect(inspection.orientation.map { 1...8 ~= $0 } ?? true)
      }
    }
  }
}
