import CGStreamer
import Glibc
import TestSupport
import Testing

@testable import GstBackground
@testable import GstVBGFilter

/// Every failure to load a picture has its own error, which names the file.
@Suite struct BackgroundImageErrorTests {
  private let folder = TemporaryFolder()

  @Test(
    "refuses a path that is not a picture",
    arguments: ["", "/", "/dev/null", "/dev/zero", "/no/file"])
  func notAPicture(_ path: String) {
    let kind = path == "/no/file" || path.isEmpty ? BackgroundError.Kind.notFound : .notAFile
    BackgroundImage.expectError(kind, at: path)
  }

  @Test("reports not found if a folder in the path is a file")
  func notADirectory() {
    BackgroundImage.expectError(.notFound, at: folder.write("file", [1]) + "/picture.png")
  }

  @Test("refuses a pipe without waiting for it", .timeLimit(.minutes(15)))
  func pipe() throws {
    let path = folder.write("pipe.png", [])
    try #require(unsafe unlink(path) == 0 && mkfifo(path, 0o600) == 0)
    for scheme in ["", "file://", "FILE://"] {
      BackgroundImage.expectError(.notAFile, at: scheme + path)
    }
  }

  @Test("reports a file without read permission as unreadable")
  func permission() async {
    // The superuser can read all files, so the test drops this privilege in a process of its own.
    await #expect(processExitsWith: .success) {
      GStreamer.prepare()
      let folder = TemporaryFolder()
      let path = folder.write("secret.png", [1, 2, 3])
      try #require(unsafe chmod(folder.path, 0o755) == 0 && chmod(path, 0) == 0)
      if geteuid() == 0 { try #require(seteuid(65534) == 0) }
      BackgroundImage.expectError(.unreadable, at: path)
      if getuid() == 0 { try #require(seteuid(0) == 0) }
    }
  }

  @Test("refuses an empty file")
  func empty() {
    BackgroundImage.expectError(.empty, at: folder.write("empty.png"))
  }

  @Test("refuses files with a picture's name but other content")
  func somethingElse() {
    // A WAV file of silence.
    let second = PictureFiles.littleEndian(44_100, count: 4)
    let sound =
      Array("RIFF".utf8) + PictureFiles.littleEndian(44_136, count: 4)
      + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0] + second + second + [1, 0, 8, 0]
      + Array("data".utf8) + second + Array(repeating: 128, count: 44_100)
    for (name, bytes) in [
      ("text.png", Array(String(repeating: "This is no picture. ", count: 500).utf8)),
      ("noise.jpg", (0..<9999).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 7 &+ $0 >> 3) }),
      ("archive.webp", Array("PK\u{3}\u{4}".utf8) + Array(repeating: 0, count: 4000)),
      ("sound.png", sound),
    ] { BackgroundImage.expectError(.notAnImage, at: folder.write(name, bytes)) }
  }

  @Test("refuses a picture that is cut off in any part", arguments: StoredPicture.Encoding.allCases)
  func cutShort(_ encoding: StoredPicture.Encoding) throws {
    // Noise, so that damage in every section of the file matters.
    let picture = StoredPicture(width: 48, height: 40) { x, y in
      let noise = (x &* 7919 ^ y &* 104_729) &* 2_654_435_761 >> 7
      return StoredColor(
        red: UInt8(truncatingIfNeeded: noise), green: UInt8(truncatingIfNeeded: noise >> 8),
        blue: UInt8(truncatingIfNeeded: noise >> 16))
    }
    let bytes = try picture.encoded(as: encoding)
    let ends = stride(from: 64, to: bytes.count - 2, by: bytes.count / 16)
    for end in [bytes.count - 1, bytes.count - 2] + Array(ends) {
      BackgroundImage.expectError(.damaged, at: folder.write("cut", bytes[..<end]))
    }
    for end in 1..<40 {
      let error = #expect(throws: BackgroundError.self) {
        try folder.load("cut", Array(bytes[..<end]))
      }
      #expect(error?.kind == .damaged || error?.kind == .notAnImage, "\(end)")
    }
  }

  @Test("refuses or decodes a damaged picture without a crash")
  func damaged() throws {
    let picture = StoredPicture(width: 24, height: 16) { x, y in
      StoredColor(red: UInt8(x * 10), green: UInt8(y * 15), blue: 99)
    }
    for encoding in StoredPicture.Encoding.allCases {
      let whole = PictureFiles.embed(
        PictureFiles.exif(orientation: 5), in: try picture.encoded(as: encoding), of: encoding,
        width: 24, height: 16)
      for position in stride(from: 0, to: whole.count, by: max(1, whole.count / 200)) {
        var bytes = whole
        bytes[position] = bytes[position] ^ 0xFF
        let path = folder.write("damaged", bytes)
        do {
          let image = try BackgroundImage.read(path)
          #expect(image.width > 0 && image.height > 0)
        } catch {
          #expect(error.description.contains(path))
        }
      }
    }
  }

  @Test(
    "refuses a picture of 20000 by 20000 pixels before it uses memory",
    arguments: [StoredPicture.Encoding.png, .jpeg])
  func tooLarge(_ encoding: StoredPicture.Encoding) async {
    await #expect(processExitsWith: .success) { [encoding] in
      let folder = TemporaryFolder()
      let small = try StoredPicture(width: 64, height: 64, color: .red).encoded(as: encoding)
      #expect(try folder.load("small", small).width == 64)
      let large =
        encoding == .png
        ? PictureFiles.zeroPNG(side: 20_000, hasAlpha: true)
        : PictureFiles.resize(jpeg: small, side: 20_000)
      BackgroundImage.expectError(.tooLarge, "20000x20000", at: folder.write("large", large))
      #expect(try ProcessResources.peakMemory() < 300 << 20)
    }
  }

  @Test("limits the size of pictures")
  func limits() {
    func isAccepted(_ width: Int, _ height: Int) -> Bool {
      PictureLimit.still.allows(width: width, height: height)
    }
    #expect(isAccepted(1, 1) && isAccepted(16_384, 1) && isAccepted(1, 16_384))
    #expect(isAccepted(16_384, 8192) && isAccepted(11_648, 8736))
    #expect(!isAccepted(16_385, 1) && !isAccepted(1, 16_385) && !isAccepted(16_384, 8193))
    #expect(!isAccepted(.max, .max) && !isAccepted(0xFFFF_FFFF, 1))
  }

  @Test("stops waiting for a slow picture, and closes its file later")
  func timedOut() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      // The decoder starts after about 50 milliseconds and then takes 550.
      let path = folder.write("slow.png", PictureFiles.zeroPNG(side: 11_000, hasAlpha: false))
      BackgroundImage.expectError(.timedOut, at: path, timeout: .milliseconds(150))
      // The decoder still runs. Another thread waits for it and destroys the pipeline.
      #expect(isOpen(path))
      for _ in 0..<2000 where isOpen(path) { usleep(10_000) }
      #expect(!isOpen(path))
    }
  }

  @Test("names the package with the missing decoder")
  func missingPlugin() async {
    await #expect(processExitsWith: .success) {
      GStreamer.prepare()
      for name in ["avdec_bmp", "gdkpixbufdec"] {
        if let feature = unsafe gst_registry_lookup_feature(gst_registry_get(), name) {
          unsafe gst_plugin_feature_set_rank(feature, 0)
          unsafe gst_object_unref(UnsafeMutableRawPointer(feature))
        }
      }
      let folder = TemporaryFolder()
      let path = folder.write("picture.bmp", PictureFiles.bmp(width: 20, height: 10, color: .red))
      BackgroundImage.expectError(.missingPlugin, "image/bmp", "gstreamer1.0-libav", at: path)
    }
  }

  @Test("refuses a GIF that is cut off", .timeLimit(.minutes(15)))
  func gif() {
    let bytes = Array("GIF89a".utf8) + [16, 0, 16, 0, 0x80, 0, 0, 255, 0, 0, 0, 255, 0, 0x2C]
    BackgroundImage.expectError(.damaged, at: folder.write("cut.gif", bytes))
  }

  @Test(
    "refuses URIs without a readable picture",
    arguments: [
      ("file:///no/file.png", BackgroundError.Kind.notFound), ("file:///%zz", .notFound),
      ("no-such-scheme://somewhere", .missingPlugin), ("data:image/png;base64,AAAA", .notAnImage),
    ])
  func uris(_ uri: String, _ kind: BackgroundError.Kind) {
    BackgroundImage.expectError(kind, at: uri)
  }
}

/// Whether this process has the file open.
private func isOpen(_ path: String) -> Bool {
  var (file, open) = (stat(), stat())
  guard unsafe stat(path, &file) == 0 else { return false }
  return (3..<256).contains { descriptor in
    unsafe fstat(descriptor, &open) == 0 && open.st_ino == file.st_ino && open.st_dev == file.st_dev
  }
}
