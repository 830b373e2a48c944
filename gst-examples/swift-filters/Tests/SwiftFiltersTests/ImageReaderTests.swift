import CSwiftFilters
import Glibc
import Testing

@testable import SwiftFilters

/// Pictures from files of all kinds, and what is told of those that are none.
@Suite struct ImageReaderTests {
  private typealias Color = SIMD4<UInt8>

  private static let (red, green) = (Color(250, 10, 20, 255), Color(20, 240, 30, 255))
  private static let (blue, yellow) = (Color(10, 30, 230, 255), Color(240, 230, 10, 255))

  /// The quarters of the upright picture, upper left, upper right, lower left, lower right, of one
  /// whose quarters are stored as red, green, blue and yellow: by Exif's numbers.
  private static let upright: [[Color]] = [
    [red, green, blue, yellow], [green, red, yellow, blue], [yellow, blue, green, red],
    [blue, yellow, red, green], [red, blue, green, yellow], [blue, red, yellow, green],
    [yellow, green, blue, red], [green, yellow, red, blue],
  ]

  private static func picture(
    _ width: Int, _ height: Int, _ color: (Int, Int) -> Color
  ) -> ColorImage {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let color = color(x, y)
        bytes += [color.x, color.y, color.z, color.w]
      }
    }
    return ColorImage(width: width, height: height, bytes: bytes)
  }

  private static let quarters = picture(64, 32) { x, y in
    upright[0][(x < 32 ? 0 : 1) + (y < 16 ? 0 : 2)]
  }

  /// Whether the quarters of a picture have about these colours.
  private func matches(_ image: ColorImage, _ colors: [Color], within tolerance: Int) -> Bool {
    let (x, y) = (image.width / 4, image.height / 4)
    return zip([(x, y), (3 * x, y), (x, 3 * y), (3 * x, 3 * y)], colors).allSatisfy {
      place, color in
      let at = 4 * (place.1 * image.width + place.0)
      return (0..<4).allSatisfy { abs(Int(image.bytes[at + $0]) - Int(color[$0])) <= tolerance }
    }
  }

  @Test(arguments: [TestPictures.Kind.png, .webp])
  func alphaAndColorsAreAsTheyWereWritten(_ kind: TestPictures.Kind) throws {
    guard kind.isInstalled else { return }
    // Rows of no multiple of four pixels; colours under each alpha.
    let image = Self.picture(37, 23) { x, y in
      Color(UInt8(6 * x), UInt8(11 * y), UInt8(3 * (x + y)), UInt8(255 - 5 * x))
    }
    let file = try TemporaryFile(TestPictures.bytes(image, as: kind))
    #expect(try ImageReader.read(file.path) == image)
  }

  @Test(arguments: 1...8, TestPictures.Kind.allCases)
  func picturesAreTurnedAsTheySay(_ orientation: Int, _ kind: TestPictures.Kind) throws {
    guard kind.isInstalled else { return }
    let plain = try TestPictures.bytes(Self.quarters, as: kind)
    for isBigEndian in [false, true] {
      let exif = TestPictures.exif(orientation, isBigEndian: isBigEndian)
      let bytes = TestPictures.embed(exif, in: plain, of: kind, Self.quarters)
      let file = try TemporaryFile(bytes)
      let image = try ImageReader.read(file.path)
      #expect(image.width == (orientation < 5 ? 64 : 32))
      #expect(image.height == (orientation < 5 ? 32 : 64))
      // A JPEG is near to the colours only.
      #expect(matches(image, Self.upright[orientation - 1], within: kind == .jpeg ? 8 : 0))
    }
  }

  @Test func exifThatSaysNothingOfUseTurnsNothing() throws {
    let plain = PNGFile.bytes(Self.quarters)
    let exif = TestPictures.exif(6, isBigEndian: false)
    var blocks = [TestPictures.exif(0, isBigEndian: true), TestPictures.exif(9, isBigEndian: true)]
    // Cut short anywhere, a directory beyond the end, endless entries.
    blocks += (0..<32).map { Array(exif[..<$0]) }
    blocks.append(exif[..<4] + [0xFF, 0xFF, 0xFF, 0xFF] + exif[8...])
    blocks.append(exif[..<8] + [0xFF, 0xFF])
    for block in blocks {
      let file = try TemporaryFile(
        TestPictures.embed(block, in: plain, of: .png, Self.quarters))
      #expect(try ImageReader.read(file.path) == Self.quarters, "\(block)")
    }
  }

  /// What an error says of a file; nil if there is none.
  private func complaint(_ path: String, within patience: Duration = .seconds(10)) -> String? {
    do {
      _ = try ImageReader.read(path, within: patience)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    arguments: [
      ("/nowhere/picture.png", "does not exist; relative paths begin"),
      ("", "does not exist; relative paths begin"),
      ("/proc/version/picture.png", "does not exist; relative paths begin"),
      ("/tmp", "is a directory; give the path of a picture in it"),
      ("/dev/null", "device; give the path of a picture file"),
      ("/dev/zero", "device; give the path of a picture file"),
    ])
  func aPathThatLeadsToNoFileIsNamed(_ path: String, _ reason: String) {
    let text = complaint(path)
    #expect(
      text?.hasPrefix("'\(path)' ") == true && text?.contains(reason) == true, "\(text ?? "")")
  }

  /// Opening it would wait for somebody who writes.
  @Test(.timeLimit(.minutes(1))) func aPipeIsNotWaitedFor() throws {
    let place = try TemporaryFile([])
    let path = place.path + ".pipe"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    defer { unsafe unlink(path) }
    #expect(complaint(path)?.hasPrefix("'\(path)' is a pipe") == true)
  }

  @Test func aFileWithoutAPictureIsNamed() throws {
    // A second of silence, as a WAV file.
    let sound =
      Array("RIFF".utf8) + TestPictures.big(8036, 4).reversed() + Array("WAVEfmt ".utf8)
      + [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0]
      + Array("data".utf8) + TestPictures.big(8000, 4).reversed()
      + Array(repeating: 128, count: 8000)
    for (bytes, reason) in [
      ([], "is empty; give the path of a picture"), ([1, 2], "give a PNG, JPEG or WebP"),
      (Array(String(repeating: "no picture at all\n", count: 40).utf8), "give a PNG, JPEG or WebP"),
      (sound, "holds no picture; give a PNG, JPEG or WebP"),
    ] {
      let file = try TemporaryFile(bytes)
      let begin = ContinuousClock.now
      let text = complaint(file.path)
      #expect(text?.hasPrefix("'\(file.path)' ") == true, "\(text ?? "")")
      #expect(text?.contains(reason) == true, "\(text ?? "")")
      // Not only after the time that a picture may take.
      #expect(ContinuousClock.now - begin < .seconds(8))
    }
  }

  /// Half a picture would be shown without a word, were it left to the decoders.
  @Test(arguments: TestPictures.Kind.allCases)
  func aFileThatIsCutShortIsNamed(_ kind: TestPictures.Kind) throws {
    guard kind.isInstalled else { return }
    let noise = Self.picture(64, 64) { x, y in
      Color(UInt8((x * 37 + y * 91) % 256), UInt8(x * y % 256), UInt8((x ^ y) * 4), 255)
    }
    let whole = try TestPictures.bytes(noise, as: kind)
    let wholeFile = try TemporaryFile(whole)
    #expect(complaint(wholeFile.path) == nil)
    for count in [whole.count / 4, whole.count / 2, whole.count - 2] {
      let file = try TemporaryFile(Array(whole[..<count]))
      #expect(
        complaint(file.path) == "'\(file.path)' is cut short; copy or download it again",
        "\(count) of \(whole.count)")
    }
  }

  /// Its reader would be waited for in vain.
  @Test func aGIFWithoutItsEndIsNamed() throws {
    let file = try TemporaryFile(Array("GIF89a".utf8) + Array(repeating: 1, count: 60) + [0, 0])
    #expect(complaint(file.path)?.contains("is cut short") == true)
  }

  @Test func aPictureThatIsTooLargeIsNotDecoded() throws {
    let side = TestPictures.big(30_000, 4)
    var png = PNGFile.bytes(Self.quarters)
    png.replaceSubrange(16..<24, with: side + side)
    var files = [png]
    if TestPictures.Kind.jpeg.isInstalled {
      var jpeg = try TestPictures.bytes(Self.quarters, as: .jpeg)
      let frame = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xFF, 0xC0]) })
      jpeg.replaceSubrange(frame + 5..<frame + 9, with: side.suffix(2) + side.suffix(2))
      files.append(jpeg)
    }
    for bytes in files {
      let file = try TemporaryFile(bytes)
      #expect(
        complaint(file.path)
          == "'\(file.path)' has 30000x30000 pixels; at most 8192 a side are taken: shrink it")
    }
    for width in [8192, 8193] {
      let image = ColorImage(
        width: width, height: 1, bytes: Array(repeating: 9, count: 4 * width))
      let file = try TemporaryFile(png: image)
      #expect(complaint(file.path)?.contains("has 8193x1 pixels") == (width > 8192 ? true : nil))
    }
  }

  @Test func nobodyWaitsForeverNorForWhatIsNotWanted() throws {
    let file = try TemporaryFile(png: Self.quarters)
    #expect(
      complaint(file.path, within: .zero)?.contains("to decode: it is damaged or slow") == true)
    #expect(throws: ImageError.self) { try ImageReader.read(file.path) { false } }
  }

  /// A manifest is no picture, whatever demuxers there are for it, and nobody turns to its server.
  @Test func whatAPlaylistNamesIsNotOpened() throws {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    try #require(isBound)
    let manifest = """
      <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
      mediaPresentationDuration="PT10S" minBufferTime="PT1S" \
      profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period>\
      <AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000" width="320" \
      height="180"><BaseURL>http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/</BaseURL>\
      <SegmentBase indexRange="0-100"/></Representation></AdaptationSet></Period></MPD>
      """
    let file = try TemporaryFile(Array(manifest.utf8))
    #expect(complaint(file.path, within: .seconds(5))?.contains("cannot be read") == true)
    var connection = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    #expect(unsafe poll(&connection, 1, 0) == 0)
  }

  /// Descriptors are closed and pipelines taken down, if a moment later.
  @Test func nothingStaysOpen() throws {
    func isOpen(_ path: String) -> Bool {
      (3..<1024).contains { descriptor in
        var name = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/fd/\(descriptor)", &name, name.count)
        return count > 0
          && String(decoding: name[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            == path
      }
    }
    let good = try TemporaryFile(png: Self.quarters)
    let bad = try TemporaryFile(Array("no picture at all".utf8))
    for _ in 0..<5 {
      #expect(complaint(good.path) == nil && complaint(bad.path) != nil)
      #expect(complaint(good.path, within: .zero) != nil)
    }
    for _ in 0..<500 where isOpen(good.path) || isOpen(bad.path) { usleep(10_000) }
    #expect(!isOpen(good.path) && !isOpen(bad.path))
  }
}
