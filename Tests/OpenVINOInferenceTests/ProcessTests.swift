import Glibc
import TestSupport
import Testing

@testable import OpenVINOInference

/// Effects of the library on the process.
///
/// Each test runs in its own process.
struct ProcessTests {
  @Test func openedAtTheFirstLoadAndNotBefore() async {
    await #expect(processExitsWith: .success) {
      func mapped() -> Bool {
        String(decoding: TestFile.bytes("/proc/self/maps"), as: UTF8.self).contains("libopenvino")
      }
      let loader = OpenVINOModelLoader(cacheFolder: nil)
      guard !OpenVINOModelLoader.modelsFolder().isEmpty, !mapped() else { exit(1) }
      guard loadError("/no/such/model.onnx")?.kind == .modelNotFound, !mapped() else { exit(2) }
      guard (try? loader.load(request(fixture("red.onnx")))) != nil, mapped() else { exit(3) }
      exit(0)
    }
  }

  @Test func fiftyLoadsDoNotGrowTheProcess() async {
    await #expect(processExitsWith: .success) {
      func residentKilobytes() -> Int { TestFile.number("VmRSS") ?? 0 }
      func useOnce() throws {
        for name in ["red.onnx", "recurrent.onnx"] {
          let model = try loadModel(request(fixture(name), lines: 48))
          let segmenter = try model.makeSegmenter(frameWidth: 64, frameHeight: 64)
          for _ in 0..<3 { _ = try segmenter.infer() }
        }
        guard loadError(fixture("any_size.onnx")) != nil else { exit(2) }
      }
      for _ in 0..<10 { try useOnce() }
      let before = residentKilobytes()
      for _ in 0..<50 { try useOnce() }
      let grown = residentKilobytes() - before
      print("50 loads grew the process by \(grown) kB")
      exit(grown < 4096 ? 0 : 1)
    }
  }
}
