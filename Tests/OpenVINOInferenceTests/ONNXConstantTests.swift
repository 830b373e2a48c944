import Testing

@testable import OpenVINOInference

struct ONNXConstantTests {
  @Test func bytes() {
    // Written down by hand from onnx.proto and the wire format of protobuf.
    let tensor: [UInt8] = [
      0x08, 1, 0x10, 1, 0x42, 5, 0x72, 0x61, 0x74, 0x69, 0x6F, 0x4A, 4, 0, 0, 0x80, 0x3F,
    ]
    #expect(
      ONNXConstant.suffix(name: "ratio", value: 1)
        == [0x3A, UInt8(tensor.count + 2), 0x2A, UInt8(tensor.count)] + tensor)
  }

  @Test func longNameHasALengthOfTwoBytes() {
    let suffix = ONNXConstant.suffix(name: String(repeating: "n", count: 200), value: 0)
    // 4 + 3 + 200 + 6 bytes of tensor, 3 more around it.
    #expect(Array(suffix.prefix(6)) == [0x3A, 0xD8, 1, 0x2A, 0xD5, 1])
    #expect(suffix.count == 3 + 0xD8)
  }
}
