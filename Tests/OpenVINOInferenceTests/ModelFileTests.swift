import Glibc
import InferenceTypes
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
    let error = loadError(path)
    #expect(error?.kind == kind, sourceLocation: sourceLocation)
    let text = error?.description ?? ""
    #expect(text.contains(path), "names the file: \(text)", sourceLocation: sourceLocation)
    #expect(text.contains(words), "\(text)", sourceLocation: sourceLocation)
  }

  @Test func missing() {
    expect(folder.path + "/none.onnx", .modelNotFound, SegmentationError.reinstallation)
    let file = folder.write("file.onnx", [8])
    expect(file + "/below.onnx", .modelNotFound, "There is no model")
    let error = loadError("")
    #expect(error?.kind == .modelNotFound)
  }

  @Test func tooLongAName() {
    let name = String(repeating: "a", count: 5000) + ".onnx"
    expect(folder.path + "/" + name, .modelUnreadable, "cannot be read: File name too long")
  }

  @Test func directory() {
    let path = folder.path + "/network.onnx"
    #expect(unsafe mkdir(path, 0o700) == 0)
    expect(path, .modelUnreadable, "is a directory")
  }

  @Test func pipeDoesNotBlock() {
    let path = folder.path + "/pipe.onnx"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    expect(path, .modelUnreadable, "is a pipe")
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func noPermission() {
    let path = folder.write("secret.onnx", [8])
    #expect(unsafe chmod(path, 0) == 0)
    expect(path, .modelUnreadable, "cannot be read: Permission denied")
  }

  @Test func empty() {
    expect(folder.write("empty.tflite", []), .modelUnreadable, "is empty")
  }

  @Test func hugeFileIsNotRead() {
    let path = folder.write("huge.onnx", [8])
    #expect(unsafe truncate(path, 2 << 30) == 0)
    expect(path, .modelUnreadable, "too large for a model: it has 2147483648 bytes")
  }

  @Test(arguments: ["network", "network.pb", "network.onnx.gz", "onnx"])
  func unknownFormat(name: String) {
    expect(folder.write(name, [8, 8]), .modelUnreadable, ".onnx, .tflite or .xml")
  }

  @Test(arguments: ["text.onnx", "text.tflite", "text.xml"])
  func text(name: String) {
    let path = folder.write(name, "version https://example.org/spec/v1\n".utf8)
    expect(path, .modelUnreadable, "does not contain what its name says")
  }

  @Test func contentOfAnotherFormatIsRefused() {
    let path = folder.write("network.tflite", contents(fixture("red.onnx")))
    expect(path, .modelUnreadable, "does not begin like a .tflite")
  }

  /// Fields from 16 on have a key of two bytes.
  @Test("accepts ONNX models that begin with any field of ModelProto", arguments: [14, 20, 25, 26])
  func anyFirstField(number: UInt64) throws {
    let model = ProtobufFields.head(of: number, length: 0) + contents(fixture("red.onnx"))
    #expect(try ModelFile(folder.write("field.onnx", model)).format == .onnx)
  }

  @Test("refuses fields that ModelProto does not have", arguments: [9, 10, 16, 20 << 7])
  func unknownFirstField(number: UInt64) {
    let path = folder.write("field.onnx", ProtobufFields.head(of: number, length: 0))
    expect(path, .modelUnreadable, "does not begin like a .onnx file")
    expect(folder.write("cut.onnx", [0xA2]), .modelUnreadable, "does not begin like a .onnx file")
  }

  @Test func theNameMayBeInCapitals() throws {
    let path = folder.write("RED.ONNX", contents(fixture("red.onnx")))
    #expect(try ModelFile(path).format == .onnx)
  }

  @Test func contentsAreWhole() throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 8) }
    #expect(try ModelFile(folder.write("long.onnx", bytes)).contents() == bytes)
  }
}
