import CAllocationCounter
import Testing
import VirtualBackground

@testable import OpenVINOInference

/// OpenVINO allocates inside an inference; what is around it does not.
struct InferenceAllocationTests {
  private func allocations(_ body: () -> Void) -> UInt64 {
    let before = allocation_counter_count()
    body()
    return allocation_counter_count() - before
  }

  /// What an inference allocates on this thread: in all, and by OpenVINO alone.
  private func count(
    _ path: String, shared: Bool
  ) throws -> (whole: UInt64, bare: UInt64) {
    let model = try OpenVINOModelLoader(cacheFolder: nil).load(request(path, lines: 64))
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
    // OpenVINO's own number varies from one inference to the next: the smallest of many is taken.
    var (whole, least) = (UInt64.max, UInt64.max)
    for _ in 0..<50 {
      whole = min(whole, allocations { _ = try? segmenter.infer() })
      least = min(least, allocations { bare() })
    }
    return (whole, least)
  }

  @Test(arguments: ["red.onnx", "red_planar.onnx", "recurrent.onnx"], [false, true])
  func nothingIsAddedToOpenVINOs(name: String, shared: Bool) throws {
    let (whole, bare) = try count(fixture(name), shared: shared)
    // That the counter sees OpenVINO's own, and that they stay few.
    #expect(1...500 ~= bare)
    #expect(whole == bare)
  }
}
