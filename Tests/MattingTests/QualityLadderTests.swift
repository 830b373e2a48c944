import Matting
import Testing

@Suite struct QualityLadderTests {
  private let all = Set(QualityLadder.files)

  private func rungs(
    _ quality: Quality, _ width: Int, _ height: Int, without missing: Set<String> = []
  ) -> [QualityLadder.Rung] {
    QualityLadder.rungs(
      for: quality, frameWidth: width, frameHeight: height, installed: all.subtracting(missing))
  }

  @Test func eachQualityBeginsWithItsOwnNetworkAndGoesDown() {
    #expect(rungs(.accurate, 1280, 720).map(\.quality) == [.accurate, .balanced, .fast, .fast])
    #expect(rungs(.balanced, 1280, 720).map(\.quality) == [.balanced, .fast, .fast])
    #expect(rungs(.fast, 1280, 720).map(\.quality) == [.fast, .fast])
    #expect(rungs(.accurate, 1280, 720).map(\.lines) == [288, 160, 0, 0])
    #expect(rungs(.accurate, 1280, 720).map(\.crop?.coarseLines) == [160, nil, nil, nil])
  }

  @Test(arguments: [
    (1920, 1080, true), (640, 480, true), (120, 100, true), (119, 100, false), (500, 500, false),
    (1080, 1920, false), (8192, 16, true), (16, 8192, false),
  ])
  func theFastNetworkHasTheShapeOfTheFrame(_ width: Int, _ height: Int, _ isWide: Bool) {
    let wide = "selfie_segmentation_landscape.tflite"
    let square = "selfie_segmentation.tflite"
    #expect(rungs(.fast, width, height).map(\.file) == (isWide ? [wide, square] : [square, wide]))
  }

  @Test("confirms people with a network that was trained on other pictures, if it is installed")
  func witnesses() {
    let matting = "rvm_mobilenetv3_fp32.onnx"
    for quality in Quality.allCases {
      #expect(rungs(quality, 1280, 720).first?.crop?.witness == matting)
    }
    let small = rungs(.fast, 1280, 720, without: [matting]).first
    #expect(small?.crop?.witness == "selfie_segmentation.tflite")
    #expect(small?.crop?.peopleFinder != small?.crop?.witness)
  }

  @Test("omits networks that are not installed")
  func omitsMissingNetworks() {
    let matting = "rvm_mobilenetv3_fp32.onnx"
    #expect(rungs(.accurate, 1280, 720, without: [matting]).allSatisfy { $0.quality == .fast })
    #expect(rungs(.accurate, 1280, 720, without: all.subtracting([matting])).count == 2)
    #expect(rungs(.balanced, 1280, 720, without: all).isEmpty)
  }
}
