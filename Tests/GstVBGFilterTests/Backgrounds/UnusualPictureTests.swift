import CGStreamer
import TestSupport
import Testing

@testable import GstBackground
@testable import GstVBGFilter

/// Intact pictures of kinds that GStreamer's own decoders show incorrectly.
///
/// The pictures in `Tests/Fixtures/pictures` were made with ImageMagick, avifenc and heif-enc. All
/// come from one PNG of 16x16 pixels, with a red left half and a green right half.
@Suite struct UnusualPictureTests {
  private let folder = TemporaryFolder()

  private static func path(_ name: String) -> String {
    GStreamer.prepare()
    return TestFile.fixture("pictures/\(name)")
  }

  private func expectHalves(of image: BackgroundImage, _ name: String) {
    #expect(image.width == 16 && image.height == 16, "\(name)")
    for (x, color) in [(1, StoredColor.red), (14, .green)] {
      // CMYK and coarse chroma differ by some codes.
      #expect(image.color(x, 8).distance(to: color) <= 24, "\(name): \(image.color(x, 8))")
    }
  }

  @Test(
    "shows JPEGs with CMYK or coarse chroma, and TIFFs with JPEG or 16 bits",
    arguments: ["cmyk.jpg", "wide-chroma.jpg", "tall-chroma.jpg", "jpeg.tiff", "deep.tiff"])
  func colors(_ name: String) throws {
    expectHalves(of: try BackgroundImage.read(Self.path(name)), name)
  }

  @Test("shows a gray TIFF")
  func gray() throws {
    let color = try BackgroundImage.read(Self.path("gray.tiff")).color(1, 8)
    #expect(color.red == color.green && color.green == color.blue && color.alpha == 255)
  }

  @Test("multiplies the colours of a translucent TIFF by alpha only once")
  func alpha() throws {
    let color = try BackgroundImage.read(Self.path("alpha.tiff")).color(1, 8)
    #expect(abs(Int(color.alpha) - 128) <= 1 && abs(Int(color.red) - 115) <= 2, "\(color)")
  }

  @Test(
    "shows a HEIC or AVIF picture, or reports its kind and the remedy",
    arguments: ["picture.heic", "picture.avif"])
  func heif(_ name: String) throws {
    do {
      expectHalves(of: try BackgroundImage.read(Self.path(name)), name)
    } catch {
      #expect(error.kind == .unsupported, "\(error)")
      #expect(error.reason.contains("HEIC or AVIF") && error.reason.contains("heif-gdk-pixbuf"))
      #expect(!error.reason.contains("damaged"), "\(error)")
    }
  }

  @Test("refuses a HEIC picture from a server and reports the remedy")
  func servers() async {
    await #expect(processExitsWith: .success) {
      GStreamer.prepare()
      guard hasDecoder("souphttpsrc") else { return }
      let bytes = TestFile.bytes(Self.path("picture.heic"))
      let server = try HTTPServer(.file(bytes, stallsAfter: bytes.count))
      BackgroundImage.expectError(
        .unsupported, "convert it to PNG", at: server.uri, timeout: .seconds(300))
    }
  }

  @Test("refuses HDR pictures and videos and reports the remedy")
  func hdr() throws {
    let gray = [UInt8](repeating: 128, count: 64 * 48 * 3 / 2)
    func video(_ colorimetry: String) throws -> String {
      folder.write(
        "\(colorimetry).mkv",
        try StoredPicture.encode(
          gray, format: "I420", width: 64, height: 48,
          by: "capssetter caps=video/x-raw,colorimetry=\(colorimetry) ! matroskamux"))
    }
    for (path, kind) in [
      (Self.path("pq.avif"), "PQ"), (try video("bt2100-hlg"), "HLG"),
      (try video("bt2100-pq"), "PQ"),
    ] {
      BackgroundImage.expectError(
        .unsupported, "is HDR (\(kind))", "convert it to standard dynamic range (SDR)", at: path)
    }
    #expect(try BackgroundImage.read(video("bt2020")).width == 64)
  }

  @Test("shows a 10-bit SDR video", .enabled(if: hasDecoder("x264enc")))
  func tenBits() throws {
    let gray = [UInt8](repeating: 2, count: 64 * 48 * 3)
    let path = folder.write(
      "deep.mkv",
      try StoredPicture.encode(
        gray, format: "I420_10LE", width: 64, height: 48,
        by: "capssetter caps=video/x-raw,colorimetry=bt2020 ! x264enc ! matroskamux"))
    #expect(try BackgroundImage.read(path).width == 64)
  }

  @Test("accepts only file URIs of this machine")
  func hosts() throws {
    let picture = StoredPicture(width: 16, height: 16, color: .red)
    let path = folder.write("picture.png", try picture.encoded(as: .png))
    for start in ["file:", "file://", "file:///", "file://localhost", "FILE://LOCALHOST"] {
      #expect(try BackgroundImage.read(start + path).width == 16, "\(start)")
    }
    for host in ["some.host", "127.0.0.1", "localhost.some.host", "localhost.", "%73ome.host"] {
      let location = "file://\(host)\(path)"
      let error = #expect(throws: BackgroundError.self, "\(host)") {
        try BackgroundImage.read(location)
      }
      // GLib itself refuses some of them as invalid URIs.
      #expect(error?.kind == .unreadable || error?.kind == .notFound, "\(error as Any)")
      #expect(error?.reason.contains("use the path") == true)
    }
  }

  @Test("explains the error if a path begins with ~ or is a colour")
  func hints() {
    BackgroundImage.expectError(.notFound, "write the whole path", at: "~/picture.png")
    BackgroundImage.expectError(.notFound, "background-color=0xffRRGGBB", at: "#fff")
  }

  @Test("stops reading an endless picture from a server", arguments: ["jpeg", "png", "multipart"])
  func endless(_ kind: String) async {
    await #expect(processExitsWith: .success) { [kind] in
      GStreamer.prepare()
      guard hasDecoder("souphttpsrc") else { return }
      let segment: [UInt8] = [0xFF, 0xE1, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 65_533)
      let header = PictureFiles.pngChunk("IHDR", [0, 0, 0, 16, 0, 0, 0, 16, 8, 2, 0, 0, 0])
      let head: [UInt8] =
        switch kind {
        case "jpeg": [0xFF, 0xD8]
        case "png":
          PictureFiles.pngSignature + header + [0x7F, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8)
        default: Array("--part\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + [0xFF, 0xD8]
        }
      let server = try HTTPServer(.endless(head, then: segment))
      BackgroundImage.expectError(.tooLarge, "134 MB", at: server.uri, timeout: .seconds(600))
      // Some bytes are still in sockets and queues.
      #expect(server.bytesSent < (1 << 27) + (64 << 20))
    }
  }
}
