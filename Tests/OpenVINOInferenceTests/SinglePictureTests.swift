import Glibc
import Matting
import Testing

@testable import OpenVINOInference

/// Stateless networks.
///
/// The matte of the fixtures is the red channel.
struct SinglePictureTests {
  private func segmenter(
    _ name: String, device: String = "CPU", threads: Int = 1
  ) throws -> any Segmenter {
    try makeSegmenter(request(fixture(name), device: device, threads: threads), for: (1280, 720))
  }

  @Test(arguments: ["red.onnx", "red_planar.onnx", "red.xml"])
  func theMatteIsTheNetworksOutput(name: String) throws {
    let segmenter = try segmenter(name)
    let layout: TensorFormat.Layout = name == "red_planar.onnx" ? .planar : .interleaved
    #expect(
      segmenter.inputFormat == TensorFormat(width: 6, height: 4, layout: layout, fit: .stretch))
    #expect(try segmenter.matte(of: color) == reds)
    // The matte depends only on the current picture.
    #expect(try segmenter.matte(ofGrey: 0.5) == [Float](repeating: 0.5, count: 24))
    segmenter.reset()
    #expect(try segmenter.matte(of: color) == reds)
  }

  @Test(arguments: [("CPU", 0), ("CPU", 2), ("CPU", 10000), ("AUTO", 1), ("AUTO:CPU", 0)])
  func devicesAndThreads(device: String, threads: Int) throws {
    #expect(try segmenter("red.onnx", device: device, threads: threads).matte(of: color) == reds)
  }

  /// With one thread, OpenVINO reports success for `fails_on_white.onnx`.
  ///
  /// The output then keeps the previous matte. The segmenter must detect this.
  @Test(arguments: ["fails_on_white.onnx", "nan_on_white.onnx"], [1, 2])
  func continuesAfterAFailedInference(name: String, threads: Int) throws {
    let segmenter = try segmenter(name, threads: threads)
    let before = try segmenter.matte(ofGrey: 0.25)
    for _ in 0..<3 {
      let error = errorOf { () throws(SegmentationError) in try segmenter.matte(ofGrey: 1) }
      #expect(error?.kind == .inferenceFailed)
      #expect(error?.description.contains(fixture(name)) == true)
    }
    #expect(try segmenter.matte(ofGrey: 0.25) == before)
    #expect(before.allSatisfy { $0 == (name == "nan_on_white.onnx" ? 0.5 : 0.25) })
  }

  @Test func segmenterOutlivesItsModel() throws {
    var model: (any SegmentationModel)? = try loadModel(request(fixture("red.onnx")))
    let segmenter = try model?.makeSegmenter(frameWidth: 64, frameHeight: 64)
    model = nil
    #expect(try segmenter?.matte(of: color) == reds)
  }
}
