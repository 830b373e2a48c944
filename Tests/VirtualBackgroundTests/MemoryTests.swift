import PixelTypes
import TestSupport
import Testing

@testable import Compositing
@testable import VirtualBackground

/// The memory that the engine uses for frames, and its behaviour without memory.
@Suite struct MemoryTests {
  @Test("throws if a raster does not fit into memory")
  func excessiveSize() {
    for (width, height) in [(Int.max, 2), (1 << 40, 1 << 40), (1 << 60, 1)] {
      #expect(throws: OutOfMemory.self) {
        try Raster<UInt32>(allocating: width, height: height, filledWith: 0)
      }
    }
  }
}

// The exit test captures a value, which Swift 6.2 does not support.
#if canImport(Glibc) && compiler(>=6.3)
  import Glibc

  extension MemoryTests {
    struct Case: Sendable, Codable {
      let width: Int
      let height: Int
      /// The width and height of the network's input.
      let tensor: Int
    }

    @Test(
      "uses no more memory than the engine reports",
      arguments: [
        Case(width: 320, height: 180, tensor: 256), Case(width: 1280, height: 720, tensor: 256),
        Case(width: 1280, height: 720, tensor: 1024), Case(width: 3840, height: 2160, tensor: 256),
        Case(width: 3840, height: 2160, tensor: 1024),
        Case(width: 8192, height: 8192, tensor: 1024),
      ])
    func staysWithinReportedMemory(_ given: Case) async {
      await #expect(processExitsWith: .success) { [given] in
        let format = FrameFormat(width: given.width, height: given.height)
        let picture = TestPicture(format: format)
        let output = TestPlanes(.bgra, format: format)
        let plate = Plate(format: format) { _ in }
        var settings = EffectSettings.everyFrame
        settings.matte.grow = 3
        settings.matte.feather = 5
        settings.lightWrap = 0.5
        settings.matchLight = 0.5
        settings.onFailure = .hold
        settings.lowLight = 1
        settings.matte.keep = .tracked
        settings.framing = .follow
        settings.inference = .whenNeeded
        let segmenter = FakeSegmenter(width: given.tensor, height: given.tensor, edge: .exact)
        let before = try residentMemory()
        let engine = VirtualBackgroundEngine(format, segmenter, threads: 4)
        engine.use(plate)
        for effect in [EffectSettings.Effect.blur, .blur, .replace, .color, .transparent, .matte] {
          settings.effect = effect
          settings.blurShape = settings.blurShape == .gaussian ? .lens : .gaussian
          for planes in [nil, output] {
            for infers in [true, false] {
              engine.process(picture, into: planes, settings: settings, infers: infers)
            }
          }
        }
        for policy in [EffectSettings.FailurePolicy.blur, .hold] {
          settings.onFailure = policy
          engine.hide(picture, settings: settings, because: failure)
        }
        let taken = try residentMemory() - before
        #expect(taken <= VirtualBackgroundEngine.memory(for: format), "\(taken) bytes")
        withExtendedLifetime((picture, output)) {}
      }
    }
  }

  /// Returns the resident anonymous memory of this process, in bytes.
  private func residentMemory() throws -> Int {
    try 1024 * #require(TestFile.number("RssAnon"))
  }
#endif
