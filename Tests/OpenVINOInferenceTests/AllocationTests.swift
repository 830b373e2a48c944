import CAllocationCounter
import TestSupport
import Testing

@testable import OpenVINOInference

/// The code around an OpenVINO inference does not allocate memory.
struct InferenceAllocationTests {
  private let folder = TemporaryFolder()

  /// Returns the minimum number of allocations per inference on this thread.
  ///
  /// `whole` counts all of them, and `bare` counts only those by OpenVINO.
  private func counts(_ path: String, shared: Bool) throws -> (whole: UInt64, bare: UInt64) {
    let model = try loadModel(request(path, lines: 48))
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
    return (leastAllocations { _ = try? segmenter.infer() }, leastAllocations { bare() })
  }

  @Test(
    arguments: [
      "red.onnx", "red_planar.onnx", "recurrent.onnx", "salient.onnx", "pascal.onnx", "logits.onnx",
      "half_size.onnx",
    ], [false, true])
  func onlyOpenVINOAllocates(name: String, shared: Bool) throws {
    // Use a file of its own: segmenters of other tests must not share the network.
    let path = folder.copy(name)
    if let values = ["logits.onnx": "softmax-logits", "half_size.onnx": "sigmoid-logits"][name] {
      let output = name == "logits.onnx" ? "logits" : "matte"
      folder.write(
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
    // The counter must see OpenVINO's own allocations, and they must stay few.
    #expect(1...500 ~= bare)
    #expect(whole == bare)
  }
}

/// Returns the minimum number of allocations in several calls.
///
/// Other threads sometimes allocate at the same time.
func leastAllocations(_ body: () -> Void) -> UInt64 {
  (0..<20).map { _ in
    let before = allocation_counter_count()
    body()
    return allocation_counter_count() - before
  }.min() ?? 0
}
