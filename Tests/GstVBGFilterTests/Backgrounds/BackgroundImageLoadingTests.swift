import CGStreamer
import Glibc
import PixelTypes
import TestSupport
import Testing

@testable import GstBackground
@testable import GstVBGFilter

/// Pictures load from any path, and loading leaks no resources.
@Suite struct BackgroundImageLoadingTests {
  private let folder = TemporaryFolder()
  let picture = StoredPicture(width: 6, height: 4, color: .green)

  @Test(
    "reads files with unusual names by path and by URI",
    arguments: [
      "with space.png", "it's.png", "\"quoted\".png", "a#b.png", "100%.png", "%41.png",
      "Grüße 東京.png",
      "no extension", "! fakesink name=x.png", "question?.png", "back\\slash.png", "semi;colon.png",
      "-dash.png", "colon:name.png", "line\nfeed.png",
    ])
  func names(_ name: String) throws {
    let path = try folder.write(name, picture.encoded(as: .png))
    #expect(try BackgroundImage.read(path).color(0, 0) == .green)
    let made = unsafe takenString(g_filename_to_uri(path, nil, nil))
    let uri = try #require(made)
    #expect(try BackgroundImage.read(uri).width == 6)
  }

  @Test("resolves relative paths in the working directory")
  func relative() async {
    // The working directory belongs to the whole process.
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let picture = StoredPicture(width: 6, height: 4, color: .green)
      _ = try folder.write("picture.png", picture.encoded(as: .png))
      try #require(unsafe chdir(folder.path) == 0)
      #expect(try BackgroundImage.read("picture.png").width == 6)
      #expect(try BackgroundImage.read("./picture.png").width == 6)
    }
  }

  @Test("reads a picture from a data URI")
  func data() throws {
    let bytes = try picture.encoded(as: .png)
    let made = unsafe takenString(g_base64_encode(bytes, gsize(bytes.count)))
    let text = try #require(made)
    #expect(try BackgroundImage.read("data:image/png;base64," + text).color(5, 3) == .green)
  }

  @Test(
    "reads a BMP, whose decoder needs the whole file in one buffer",
    .enabled(if: hasDecoder("avdec_bmp"))
  )
  func bmp() throws {
    let bytes = PictureFiles.bmp(width: 301, height: 203, color: .blue)
    let image = try folder.load("picture.bmp", bytes)
    #expect(image.width == 301 && image.height == 203 && image.color(300, 202) == .blue)
  }

  @Test("reads small and odd sizes in every format", arguments: StoredPicture.Encoding.allCases)
  func sizes(_ encoding: StoredPicture.Encoding) throws {
    for (width, height) in [(1, 1), (1, 9), (7, 1), (3, 5), (17, 33)] {
      let picture = StoredPicture(width: width, height: height, color: .yellow)
      let image = try folder.load(picture, as: encoding)
      #expect(image.width == width && image.height == height)
      #expect(image.color(width - 1, height - 1).distance(to: .yellow) <= 3)
    }
  }

  @Test("reads the first frame of a video")
  func video() throws {
    let bytes = try StoredPicture.encode(
      Array(repeating: 90, count: 32 * 16 * 3 / 2), format: "I420", width: 32, height: 16,
      by: "jpegenc ! matroskamux")
    let image = try folder.load("video.mkv", bytes)
    #expect(image.width == 32 && image.height == 16)
  }

  @Test("does not mix up pictures that are loaded at the same time")
  func concurrent() async throws {
    var files: [(path: String, width: Int)] = []
    for width in 1...8 {
      for encoding in StoredPicture.Encoding.allCases {
        let picture = StoredPicture(width: 8 * width, height: 16, color: .red)
        let name = "\(width).\(encoding.rawValue)"
        files.append((try folder.write(name, picture.encoded(as: encoding)), 8 * width))
      }
    }
    let format = FrameFormat(width: 64, height: 48)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (path, width) in files + files {
        group.addTask {
          let image = try BackgroundImage.read(path)
          #expect(image.width == width)
          let plate = try image.makePlate(for: format, fit: .contain, backgroundColor: 0)
          let luma = format.colorimetry.codeValues(red: 230, green: 20, blue: 10).luma
          #expect(abs(plate.luma(32, 24) - Int(luma)) <= 3)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("leaks no memory, files or threads in a thousand successful and failed loads")
  func leaks() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let picture = StoredPicture(width: 256, height: 200, color: .yellow)
      let whole = try picture.encoded(as: .png)
      let good = try StoredPicture.Encoding.allCases.map {
        try folder.write("good.\($0.rawValue)", picture.encoded(as: $0))
      }
      let large = try PictureFiles.resize(jpeg: picture.encoded(as: .jpeg), side: 17_000)
      let bad = [
        folder.write("cut.png", Array(whole.dropLast(20))),
        folder.write("text.png", Array("This is no picture.".utf8)),
        folder.write("large.jpeg", large),
        "no-such-scheme://picture",
      ]
      func load(times: Int) {
        for index in 0..<times {
          _ = try? BackgroundImage.read(good[index % good.count])
          if index % 4 == 0 {
            _ = try? BackgroundImage.read(bad[index / 4 % bad.count])
          }
        }
      }
      load(times: 200)
      let before = ProcessResources()
      load(times: 800)
      // A leaked picture would add 50 pages each time, a leaked pipeline about 20.
      let excess = before.excess(threads: 2, descriptors: 0, pages: 2000)
      #expect(excess == nil, "\(excess ?? "")")
    }
  }
}

/// Returns the text of a C string from GLib and frees the string.
private func takenString(_ text: UnsafeMutablePointer<gchar>?) -> String? {
  guard let text = unsafe text else { return nil }
  defer { unsafe g_free(text) }
  return unsafe String(cString: text)
}
