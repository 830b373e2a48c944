import Matting
import TestSupport
import Testing

@testable import OpenVINOInference

/// Unknown networks are refused.
///
/// The error states the expected and the actual tensors.
struct RecognitionTests {
  private let folder = TemporaryFolder()

  @Test(arguments: [
    ("three_dimensions.onnx", "of which the first is 1, found picture f32 4x6x3"),
    ("any_size.onnx", "of which the first is 1, found picture f32 1x?x?x3"),
    ("two_outputs.onnx", "expected one output, found 2"),
    ("two_inputs.onnx", "expected one input, found 2"),
    ("classes.onnx", "a matte of its size as output"),
    ("huge.onnx", "1 to 2048 pixels per side"),
    ("bytes_in.onnx", "an f32 input, found picture u8 1x4x6x3"),
    ("halves_in.onnx", "an f32 input, found picture f16 1x4x6x3"),
    ("bytes_out.onnx", "an f32 output, found matte u8 1x4x6x1"),
    ("halves_out.onnx", "an f32 output, found matte f16 1x4x6x1"),
    ("recurrent_no_matte.onnx", "expected pha, which is missing"),
    ("recurrent_halves.onnx", "expected r1i to be f32 of four dimensions, found r1i f16 ?x1x?x?"),
    ("recurrent_extra_input.onnx", "unexpected input depth f32 1"),
  ])
  func unknown(name: String, words: String) {
    expect(
      loadError(fixture(name)), .modelUnknown, fixture(name), words, "inputs [",
      "Robust Video Matting", ".modelinfo")
  }

  @Test func mediaPipesOwnFileHasARemedy() {
    let error = loadError(fixture("custom_operation.tflite"))
    expect(error, .modelUnreadable, "use the one of vbgfilter")
  }

  /// Truncated and damaged files are refused or loaded, and the process continues.
  @Test(arguments: ["red.onnx", "recurrent.onnx", "custom_operation.tflite", "red.xml"])
  func damagedFiles(name: String) {
    let whole = TestFile.bytes(fixture(name))
    if name == "red.xml" { _ = folder.copy("red.bin") }
    #expect(whole.count > 100)
    let step = max(1, whole.count / 80)
    for length in stride(from: 0, to: whole.count - 20, by: step) {
      let error = loadError(folder.write(name, whole[..<length]))
      #expect(error != nil, "the first \(length) bytes of \(name)")
    }
    for place in stride(from: 0, to: whole.count, by: step) {
      for value: UInt8 in [0x00, 0x7F, 0xFF] {
        var damaged = whole
        damaged[place] = value
        let error = loadError(folder.write(name, damaged))
        if let error {
          #expect([.modelUnreadable, .modelUnknown].contains(error.kind), "\(error)")
          #expect(error.description.contains(name))
        }
      }
    }
  }

  @Test func weightsThatAreMissingOrShort() {
    let path = folder.copy("red.xml")
    #expect(loadError(path)?.kind == .modelUnreadable)
    folder.write("red.bin", TestFile.bytes(fixture("red.bin")).dropLast(4))
    #expect(loadError(path)?.kind == .modelUnreadable)
    _ = folder.copy("red.bin")
    #expect(loadError(path) == nil)
  }

  @Test(arguments: ["", "CPU.7", "cpu", "HETERO:NOSUCH", "AUTO:NOSUCH", "\u{FFFD}\n"])
  func unusableDevices(device: String) {
    let error = errorOf { () throws(SegmentationError) in
      try makeSegmenter(request(fixture("red.onnx"), device: device))
    }
    #expect(error?.kind == .deviceRefused)
  }
}
