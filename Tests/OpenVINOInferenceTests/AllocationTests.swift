import CAllocationCounter
import TestSupport
import Testing

@testable import OpenVINOInference

/// OpenVINO allocates inside an inference; what is around it does not.
struct InferenceAllocationTests {
  private let folder = TemporaryFolder()

  /// The least that an inference allocates on this thread: in all, and by OpenVINO alone.
  private func counts(
    _ path: String, shared: Bool
  ) throws -> (whole: UInt64, bare: UInt64) {
    let model = try OpenVINOModelLoader(cacheFolder: nil).load(request(path, lines: 48))
    let segmenter = try model.makeSegmenter(frameWidth: 64, frameHeight: 64)
    let other = shared ? try model.makeSegmenter(frameWidth: 64, frameHeight: 64) : nil
    defer { withExtendedLifetime(other) {} }
    func bare() {
      if let segmenter = segmenter as? SinglePictureSegmenter {
        _ = segmenter.request.infer(onThisThread: !shared)
      } else if let segmenter = segmenter as? RecurrentSegmenter {
        _ = segmenter.current.infer(onThisThread: !shared)
      }
    }
    return (
      leastAllocations { _ = try? segmenter.infer() }, leastAllocations { bare() }
    )
  }

  @Test(
    arguments: [
      "red.onnx", "red_planar.onnx", "recurrent.onnx", "salient.onnx", "pascal.onnx", "logits.onnx",
      "half_size.onnx",
    ], [false, true])
  func nothingIsAddedToOpenVINOs(name: String, shared: Bool) throws {
    // A file that no other test's segmenters share.
    let path = folder.write(name, contents(fixture(name)))
    if let values = ["logits.onnx": "softmax-logits", "half_size.onnx": "sigmoid-logits"][name] {
      let output = name == "logits.onnx" ? "logits" : "matte"
      _ = folder.write(
        name + ".modelinfo",
        """
        [modelinfo]
        version=1.0
        [picture]
        dir=input
        ranges=0,1
        [\(output)]
        dir=output
        values=\(values)
        channels=0
        """.utf8)
    }
    let (whole, bare) = try counts(path, shared: shared)
    // That the counter sees OpenVINO's own, and that they stay few.
    #expect(1...500 ~= bare)
    #expect(whole == bare)
  }
}

/// How often memory is allocated at the least in some calls: other threads allocate now and then.
func leastAllocations(_ body: () -> Void) -> UInt64 {
  (0..<20).map { _ in
    let before = allocation_counter_count()
    body()
    return allocation_counter_count() - before
  }.min() ?? 0
}
