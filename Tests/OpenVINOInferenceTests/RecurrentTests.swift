import Matting
import TestSupport
import Testing

@testable import OpenVINOInference

/// Recurrent networks.
///
/// The matte of a fixture is half of red plus 15/128 per previous picture, unless a test states
/// another formula.
struct RecurrentTests {
  private let folder = TemporaryFolder()

  /// Loads a copy of the fixture for one test.
  ///
  /// Segmenters of the same file share a compiled network. A test that breaks it would also break
  /// concurrent tests.
  private func model(_ name: String, threads: Int = 1) throws -> any SegmentationModel {
    try OpenVINOModelLoader(cacheFolder: nil).load(
      request(folder.copy(name), lines: 48, threads: threads))
  }

  /// Returns the uniform value of the matte of a grey picture, or `nil` if it is not uniform.
  private func value(_ segmenter: any Segmenter, grey: Float) throws -> Float? {
    let matte = try segmenter.matte(ofGrey: grey)
    return matte.allSatisfy { $0 == matte.first } ? matte.first : nil
  }

  private let step: Float = 15 / 128

  @Test(arguments: ["recurrent.onnx", "recurrent_without_ratio.onnx"])
  func remembersPicturesUntilAReset(name: String) throws {
    let segmenter = try model(name).makeSegmenter(frameWidth: 256, frameHeight: 64)
    #expect(
      segmenter.inputFormat
        == TensorFormat(
          width: 96, height: 64, layout: .planar, fit: .stretch,
          filter: .lanczos))
    for count in 0..<4 {
      #expect(try value(segmenter, grey: 0.5) == 0.25 + Float(count) * step)
    }
    segmenter.reset()
    #expect(try value(segmenter, grey: 1) == 0.5)
    #expect(try value(segmenter, grey: 0) == step)
    segmenter.reset()
    segmenter.reset()
    #expect(try value(segmenter, grey: 0) == 0)
  }

  @Test func theMatteFollowsThePicture() throws {
    let segmenter = try model("recurrent.onnx").makeSegmenter(frameWidth: 64, frameHeight: 64)
    let matte = try segmenter.matte { x, y in [Float((x + y) % 64) / 32, 0.75, 0.25] }
    let expected: [Float] = (0..<64 * 64).map { place in
      let (y, x) = place.quotientAndRemainder(dividingBy: 64)
      return Float((x + y) % 64) / 64
    }
    #expect(matte == expected)
  }

  @Test(arguments: [1, 2])
  func forgetsAfterAFailedInference(threads: Int) throws {
    let segmenter = try model("recurrent_nan_on_white.onnx", threads: threads)
      .makeSegmenter(frameWidth: 64, frameHeight: 64)
    // The matte of this fixture is sqrt(0.5 - grey) plus 15/128 per previous picture.
    #expect(try value(segmenter, grey: 0.25) == 0.5)
    #expect(try value(segmenter, grey: 0.25) == 0.5 + step)
    for _ in 0..<3 {
      let error = errorOf { () throws(SegmentationError) in try segmenter.matte(ofGrey: 1) }
      #expect(error?.kind == .inferenceFailed)
    }
    #expect(try value(segmenter, grey: 0.25) == 0.5)
    #expect(try value(segmenter, grey: 0.25) == 0.5 + step)
  }

  /// A new segmenter works after an error in the previous one.
  ///
  /// After an error in this network, each further inference of the same segmenter fails. Each must
  /// throw: an old matte would be wrong.
  @Test(arguments: [1, 2])
  func aNewSegmenterWorksAfterAnError(threads: Int) throws {
    let model = try model("recurrent_fails_on_white.onnx", threads: threads)
    let broken = try model.makeSegmenter(frameWidth: 64, frameHeight: 64)
    #expect(try value(broken, grey: 0.25) == 0.125)
    for _ in 0..<3 {
      let error = errorOf { () throws(SegmentationError) in try broken.matte(ofGrey: 1) }
      #expect(error?.kind == .inferenceFailed)
    }
    let healed = try model.makeSegmenter(frameWidth: 64, frameHeight: 64)
    #expect(try value(healed, grey: 0.25) == 0.125)
    #expect(try value(healed, grey: 0.25) == 0.125 + step)
  }

  @Test func twoSegmentersOfOneModelShareNoState() throws {
    let model = try model("recurrent.onnx")
    let first = try model.makeSegmenter(frameWidth: 64, frameHeight: 64)
    #expect(try value(first, grey: 0) == 0)
    #expect(try value(first, grey: 0) == step)
    // Another size reshapes the model that the first segmenter uses.
    let second = try model.makeSegmenter(frameWidth: 256, frameHeight: 64)
    #expect(second.inputFormat.width == 96)
    #expect(try value(second, grey: 0) == 0)
    #expect(try value(first, grey: 0) == 2 * step)
    #expect(try value(second, grey: 0) == step)
    second.reset()
    #expect(try value(first, grey: 0) == 3 * step)
    #expect(try value(second, grey: 0) == 0)
  }

  @Test func statesOfAnotherSizeAreRefused() throws {
    let model = try model("recurrent_doubled_state.onnx")
    let error = errorOf { () throws(SegmentationError) in
      try model.makeSegmenter(frameWidth: 64, frameHeight: 64)
    }
    #expect(error?.kind == .modelUnknown)
    let text = error?.description ?? ""
    #expect(text.contains("expected r1o to be [1, 1, 32, 32], found r1o f32 1x1x64x32"), "\(text)")
  }

  @Test func aSizeThatTheNetworkRefusesLeavesTheModelUsable() throws {
    let model = try model("recurrent_fails_on_white.onnx")
    let error = errorOf { () throws(SegmentationError) in
      try model.makeSegmenter(frameWidth: 128, frameHeight: 64)
    }
    #expect(error != nil)
    let segmenter = try model.makeSegmenter(frameWidth: 64, frameHeight: 64)
    #expect(try value(segmenter, grey: 0.25) == 0.125)
  }
}
