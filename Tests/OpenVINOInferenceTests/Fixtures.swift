import Glibc
import InferenceTypes
import TestSupport

@testable import OpenVINOInference

/// The path of a tiny network from `Tests/Fixtures/models`.
func fixture(_ name: String) -> String { TestFile.fixture("models/\(name)") }

/// The path of a network of the ladder, if the runtime folder contains it.
func realModel(_ name: String) -> String? {
  let path = OpenVINOModelLoader.modelsFolder() + "/" + name
  return unsafe access(path, R_OK) == 0 ? path : nil
}

/// The path of a network in the folder that `VBGFILTER_FURTHER_MODELS` names.
///
/// Set-up does not install these networks.
func furtherModel(_ name: String) -> String? {
  guard let folder = unsafe getenv("VBGFILTER_FURTHER_MODELS") else { return nil }
  let path = unsafe String(cString: folder) + "/" + name
  return unsafe access(path, R_OK) == 0 ? path : nil
}

/// The path of libm, which every system has: tests use it in place of another library.
func systemLibrary() -> String? {
  ["/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/usr/lib"]
    .map { $0 + "/libm.so.6" }.first { unsafe access($0, R_OK) == 0 }
}

/// Creates a request like the element does.
func request(
  _ path: String, lines: Int = 144, device: String = "CPU", threads: Int = 1
) -> ModelRequest {
  ModelRequest(path: path, lines: lines, device: device, threads: threads)
}

/// Returns the error that `body` throws, or `nil`.
func errorOf<Result>(_ body: () throws(SegmentationError) -> Result) -> SegmentationError? {
  do throws(SegmentationError) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

/// Returns the error from loading a model, or `nil`.
func loadError(_ path: String) -> SegmentationError? {
  errorOf { () throws(SegmentationError) in
    try OpenVINOModelLoader(cacheFolder: nil).load(request(path))
  }
}

extension Segmenter {
  /// Writes the RGB value of `color` to each pixel, and runs the network.
  func matte(of color: (_ x: Int, _ y: Int) -> [Float]) throws(SegmentationError) -> [Float] {
    let (width, height) = (inputFormat.width, inputFormat.height)
    let tensor = unsafe inputTensor
    for y in 0..<height {
      for x in 0..<width {
        for (channel, value) in color(x, y).enumerated() {
          let index =
            inputFormat.layout == .planar
            ? (channel * height + y) * width + x : (y * width + x) * 3 + channel
          unsafe tensor[index] = value
        }
      }
    }
    let matte = try infer()
    return unsafe Array(
      UnsafeBufferPointer(start: matte.base, count: matte.width * matte.height))
  }

  /// Returns the matte of a uniformly grey picture.
  func matte(ofGrey value: Float) throws(SegmentationError) -> [Float] {
    try matte { _, _ in [value, value, value] }
  }
}

/// Runs `body` on `count` threads concurrently, and waits for them.
func inThreads(_ count: Int, _ body: (_ index: Int) -> Void) {
  withoutActuallyEscaping(body) { body in
    // Safety: the threads are joined before the closure goes out of scope.
    nonisolated(unsafe) let body = body
    let threads = (0..<count).map { index in
      HelperThread { unsafe body(index) }
    }
    for thread in threads { thread.join() }
  }
}
