import TestSupport
import Testing

@testable import OpenVINOInference

struct ONNXInputsTests {
  @Test func acceptsBytesThatAreNotAModel() {
    let model = contents(fixture("recurrent.onnx"))
    for count in 0..<model.count { _ = ONNXInputs.names(in: Array(model.prefix(count))) }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      var bytes = model
      for _ in 0..<8 {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      _ = ONNXInputs.names(in: bytes)
    }
    // A length that is too large, and an integer without an end.
    let longest = [UInt8](repeating: 0xFF, count: 9) + [1]
    #expect(ONNXInputs.names(in: [7 << 3 | 2] + longest).isEmpty)
    #expect(ONNXInputs.names(in: [UInt8](repeating: 0xFF, count: 40)).isEmpty)
  }
}
