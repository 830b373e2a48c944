import CGStreamer
import Glibc
import PixelTypes
import TestSupport
import Testing

@testable import GstBackground
@testable import GstVBGFilter

/// The memory use of backgrounds, and the behaviour when memory is short.
///
/// Each test has its own process, because memory and its limits apply to the whole process.
@Suite(.enabled(if: hasDecoder("avdemux_gif"))) struct BackgroundMemoryTests {
  @Test func aTooLargeAnimationIsRefusedBeforeItUsesMemory() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let bytes = PictureFiles.plainGIF(width: 16_384, height: 8192, grays: [0, 80, 160, 240])
      let path = folder.write("large.gif", bytes)
      let filter = try TestFilter(["background-path": path])
      #expect(!filter.tryToStart())
      filter.messages().expectOne(
        .error, path, "16384x8192", "shrink it", code: GST_RESOURCE_ERROR_FAILED)
      #expect(try ProcessResources.peakMemory() < 300 << 20)
    }
  }

  /// A still picture may have more pixels than an animation.
  @Test func aGIFWithOnePictureIsAStillPicture() async {
    await #expect(processExitsWith: .success) {
      let bytes = PictureFiles.plainGIF(width: 8192, height: 4352, grays: [200])
      let image = try TemporaryFolder().load("still.gif", bytes)
      #expect(image.width == 8192 && image.height == 4352)
      #expect(image.color(8191, 4351) == StoredColor(red: 200, green: 200, blue: 200))
    }
  }

  /// The limits range from enough memory for the whole background to almost no memory.
  @Test(arguments: ["gif", "png", "mov"])
  func withLittleMemoryABackgroundIsShownOrRefused(_ kind: String) async {
    await #expect(processExitsWith: .success) { [kind] in
      let folder = TemporaryFolder()
      let bytes =
        switch kind {
        case "gif": PictureFiles.plainGIF(width: 4096, height: 4096, grays: [0, 80, 160])
        case "png": PictureFiles.zeroPNG(side: 4096, hasAlpha: false)
        default: try StoredVideo(lumas: [90, 100], width: 1920, height: 1080).encoded(as: .png)
        }
      let path = folder.write("background", bytes)
      // This loads everything that is loaded only once.
      _ = try TestFilter(["background-path": path]).process(time: 0)
      var shown = 0
      let spares = Array(stride(from: 1200, through: 60, by: -120)) + [40, 20]
      for spare in spares {
        let filter = try TestFilter(["effect": "color"])
        _ = try filter.process(time: 0)
        try ProcessResources.limitMemory(spare: spare << 20) {
          filter.set("effect", "replace")
          filter.set("background-path", path)
          var messages: [BusMessage] = []
          var isShown = false
          let colour = try filter.backgroundLuma(at: 0)
          try filter.process(until: {
            messages += filter.messages()
            isShown = try filter.backgroundLuma(at: 1) != colour
            return isShown || !messages.isEmpty
          })
          if isShown { shown += 1 }
          // The previous effect continues, and one warning names the file and the remedy.
          #expect(messages.allSatisfy { $0.kind == .warning && $0.text.contains(path) })
          #expect(Room.visiblePart(of: try filter.process(time: 2)) == 0)
        }
      }
      #expect(0 < shown && shown < spares.count)
    }
  }

  @Test func aPlateThatNeedsTooMuchMemoryIsAnError() async {
    await #expect(processExitsWith: .success) {
      let image = try TemporaryFolder().load(StoredPicture(width: 64, height: 36, color: .green))
      let format = FrameFormat(width: 8192, height: 8192)
      try ProcessResources.limitMemory(spare: 50 << 20) {
        #expect(throws: OutOfMemory.self) {
          try image.makePlate(for: format, fit: .cover, backgroundColor: 0)
        }
      }
      #expect(throws: Never.self) {
        try image.makePlate(for: format, fit: .cover, backgroundColor: 0)
      }
    }
  }

  @Test func aFrameSizeThatNeedsTooMuchMemoryIsAnError() async {
    await #expect(processExitsWith: .success) {
      for spare in [20, 100, 300, 500] {
        let filter = try TestFilter(format: .i420)
        _ = try filter.process()
        try ProcessResources.limitMemory(spare: spare << 20) {
          try filter.renegotiate(width: 8192, height: 8192)
        }
        filter.messages().expectOne(.error, "8192x8192", code: GST_RESOURCE_ERROR_NO_SPACE_LEFT)
      }
    }
  }
}
