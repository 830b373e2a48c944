import Glibc
import InputFiles
import Matting
import TestSupport
import Testing

@testable import OpenVINOInference

/// Invalid files are reported before OpenVINO loads, with a specific message for each fault.
struct ModelFileTests {
  private let folder = TemporaryFolder()

  private func expect(
    _ path: String, _ kind: SegmentationError.Kind, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    OpenVINOInferenceTests.expect(
      loadError(path), kind, path, words, sourceLocation: sourceLocation)
  }

  @Test func missing() {
    expect(folder.path + "/none.onnx", .modelNotFound, SegmentationError.reinstallation)
    let file = folder.write("file.onnx", [8])
    expect(file + "/below.onnx", .modelNotFound, "There is no model")
    #expect(loadError("")?.kind == .modelNotFound)
  }

  @Test("refuses folders, pipes, huge files and overlong names")
  func kinds() {
    let (directory, pipe) = (folder.path + "/network.onnx", folder.path + "/pipe.onnx")
    #expect(unsafe mkdir(directory, 0o700) == 0 && mkfifo(pipe, 0o600) == 0)
    expect(directory, .modelUnreadable, "is a directory")
    expect(pipe, .modelUnreadable, "is a pipe")
    let huge = folder.write("huge.onnx", [8])
    #expect(unsafe truncate(huge, 2 << 30) == 0)
    expect(huge, .modelUnreadable, "too large for a model: it has 2147483648 bytes")
    let long = folder.path + "/" + String(repeating: "a", count: 5000) + ".onnx"
    expect(long, .modelUnreadable, "cannot be read: File name too long")
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func noPermission() {
    let path = folder.write("secret.onnx", [8])
    #expect(unsafe chmod(path, 0) == 0)
    expect(path, .modelUnreadable, "cannot be read: Permission denied")
  }

  @Test("refuses contents of another format, and unknown formats")
  func foreignContents() {
    expect(folder.write("empty.tflite", []), .modelUnreadable, "is empty")
    for name in ["network", "network.pb", "network.onnx.gz", "onnx"] {
      expect(folder.write(name, [8, 8]), .modelUnreadable, ".onnx, .tflite or .xml")
    }
    for name in ["text.onnx", "text.tflite", "text.xml"] {
      let path = folder.write(name, "version https://example.org/spec/v1\n".utf8)
      expect(path, .modelUnreadable, "does not contain what its name says")
    }
    let path = folder.write("network.tflite", TestFile.bytes(fixture("red.onnx")))
    expect(path, .modelUnreadable, "does not begin like a .tflite")
  }

  /// Fields from 16 on have a key of two bytes.
  @Test("accepts ONNX models that begin with any field of ModelProto", arguments: [14, 20, 25, 26])
  func anyFirstField(number: UInt64) throws {
    let model = ProtobufFields.head(of: number, length: 0) + TestFile.bytes(fixture("red.onnx"))
    #expect(try ModelFormat(ofFile: folder.write("field.onnx", model)) == .onnx)
  }

  @Test("refuses fields that ModelProto does not have", arguments: [9, 10, 16, 20 << 7])
  func unknownFirstField(number: UInt64) {
    let path = folder.write("field.onnx", ProtobufFields.head(of: number, length: 0))
    expect(path, .modelUnreadable, "does not begin like a .onnx file")
    expect(folder.write("cut.onnx", [0xA2]), .modelUnreadable, "does not begin like a .onnx file")
  }

  @Test func theNameMayBeInCapitals() throws {
    let path = folder.write("RED.ONNX", TestFile.bytes(fixture("red.onnx")))
    #expect(try ModelFormat(ofFile: path) == .onnx)
  }

  @Test func contentsAreWhole() throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 8) }
    #expect(try RegularFile.ofModel(folder.write("long.onnx", bytes)).bytes() == bytes)
  }
}
