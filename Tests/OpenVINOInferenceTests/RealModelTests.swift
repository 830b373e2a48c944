import Matting
import PixelTypes
import TestSupport
import Testing

@testable import OpenVINOInference

/// The real networks of the ladder, if set-up has fetched them.
struct RealModelTests {
  private static let general = realModel("selfie_segmentation.tflite")
  private static let landscape = realModel("selfie_segmentation_landscape.tflite")
  private static let matting = realModel("rvm_mobilenetv3_fp32.onnx")
  private static let salient = realModel("u2netp.onnx")
  // This model is in no package registry, so it may be in the folder of further models.
  private static let classes =
    realModel("deeplabv3_257_mv_gpu.tflite")
    ?? furtherModel("deeplabv3_257_mv_gpu.tflite")

  /// Returns the share of the picture that the matte assigns to the person.
  private func share(_ matte: [Float]) -> Float {
    #expect(matte.allSatisfy { 0...1 ~= $0 })
    return matte.reduce(0, +) / Float(matte.count)
  }

  @Test(.enabled(if: general != nil && landscape != nil, "the models are not set up"))
  func selfieSegmentation() throws {
    for (path, width, height) in [(Self.general, 256, 256), (Self.landscape, 256, 144)] {
      let model = try loadModel(request(path ?? ""))
      let segmenter = try model.makeSegmenter(frameWidth: 1280, frameHeight: 720)
      #expect(
        segmenter.inputFormat
          == TensorFormat(width: width, height: height, layout: .interleaved, fit: .stretch))
      #expect(share(try segmenter.matte(ofGrey: 0.5)) < 0.02)
    }
  }

  @Test(.enabled(if: salient != nil, "the models are not set up"))
  func u2Netp() throws {
    let segmenter = try makeSegmenter(request(Self.salient ?? ""), for: (1280, 720))
    let format = segmenter.inputFormat
    #expect((format.width, format.height) == (320, 320))
    // An object in the middle of a uniform picture stands out. The noise of an empty picture stays
    // small. Stretching the matte to 0 to 1 would amplify it.
    let matte = try segmenter.matte { x, y in
      (x - 160) * (x - 160) + (y - 160) * (y - 160) < 80 * 80 ? [2, -1.5, -1.5] : [0, 0, 0]
    }
    #expect(matte[160 * 320 + 160] > 0.8 && matte[10 * 320 + 10] < 0.1)
  }

  @Test(.enabled(if: classes != nil, "the model is not set up"))
  func deepLab() throws {
    let path = Self.classes ?? ""
    let model = try loadModel(request(path))
    #expect(model.subjects.count == 20)
    let segmenter = try model.makeSegmenter(frameWidth: 1280, frameHeight: 720)
    #expect(
      segmenter.inputFormat
        == TensorFormat(
          width: 257, height: 257, layout: .interleaved, fit: .stretch,
          range: SampleRange(low: -1, high: 1)))
    #expect(share(try segmenter.matte(ofGrey: 0)) < 0.02)
    let error = errorOf { () throws(SegmentationError) in
      try loadModel(request(path, subjects: "unicorn"))
    }
    #expect(error?.kind == .subjectUnknown)
  }

  @Test(.enabled(if: matting != nil, "the models are not set up"))
  func robustVideoMatting() throws {
    let model = try loadModel(request(Self.matting ?? "", threads: 0))
    var first: [Float] = []
    for (width, height, toWidth, toHeight) in [
      (1280, 720, 224, 160), (1920, 1080, 224, 160), (720, 1280, 160, 224), (16, 16, 192, 192),
      (8192, 16, 272, 128), (1280, 720, 224, 160),
    ] {
      let segmenter = try model.makeSegmenter(frameWidth: width, frameHeight: height)
      #expect(
        segmenter.inputFormat
          == TensorFormat(
            width: toWidth, height: toHeight, layout: .planar, fit: .stretch,
            filter: .lanczos))
      for _ in 0..<3 {
        #expect(share(try segmenter.matte(ofGrey: 0.5)) < 0.02)
      }
      // Reshaping a model to another size and back does not change its results.
      segmenter.reset()
      let matte = try segmenter.matte { x, y in [Float(x % 7) / 7, Float(y % 5) / 5, 0.5] }
      if width == 1280 && first.isEmpty { first = matte }
      if width == 1280 { #expect(matte == first) }
    }
  }

  /// A restored network does not depend on the memory that it was loaded from.
  ///
  /// OpenVINO uses the weights in place, so later changes to that memory must not affect them.
  @Test(.enabled(if: matting != nil && general != nil, "the models are not set up"))
  func aRestoredNetworkKeepsItsWeights() throws {
    for path in [Self.general ?? "", Self.matting ?? ""] {
      let folder = TemporaryFolder()
      func matte(restored: Bool) throws -> [Float] {
        let segmenter = try makeSegmenter(request(path), cache: folder.path, for: (1280, 720))
        #expect(network(of: segmenter)?.isRestored == restored)
        // Allocate the free memory and fill it with NaN.
        let blocks = (14...25).flatMap { size in
          (0..<4).map { _ in [UInt8](repeating: 0xFF, count: 1 << size) }
        }
        return try withExtendedLifetime(blocks) {
          try segmenter.matte { x, y in [Float(x % 7) / 7, Float(y % 5) / 5, 0.5] }
        }
      }
      let expected = try matte(restored: false)
      #expect(try matte(restored: true) == expected)
    }
  }

  @Test(.enabled(if: matting != nil, "the models are not set up"))
  func robustVideoMattingRemembers() throws {
    let segmenter = try makeSegmenter(request(Self.matting ?? ""), for: (1280, 720))
    func picture() throws -> [Float] {
      try segmenter.matte { x, y in
        80...176 ~= x && y > 30 ? [0.8, 0.6, 0.5] : [0.2, Float(y) / 144, 0.3]
      }
    }
    let first = try picture()
    let second = try picture()
    #expect(first != second)
    segmenter.reset()
    #expect(try picture() == first)
  }
}
