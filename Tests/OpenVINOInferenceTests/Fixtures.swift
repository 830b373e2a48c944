import Glibc
import Matting
import TestSupport
import Testing

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

extension TemporaryFolder {
  /// Copies a fixture into the folder and returns its path.
  ///
  /// Segmenters of other tests do not share the network of this file.
  @discardableResult
  func copy(_ name: String) -> String { write(name, TestFile.bytes(fixture(name))) }
}

/// Creates a request like the element does.
func request(
  _ path: String, lines: Int = 144, device: String = "CPU", threads: Int = 1, subjects: String = ""
) -> ModelRequest {
  ModelRequest(
    path: path, lines: lines, device: device, threads: threads, subjects: Subjects(subjects))
}

/// Loads a network.
func loadModel(
  _ request: ModelRequest, cache: String? = nil
) throws(SegmentationError) -> any SegmentationModel {
  try OpenVINOModelLoader(cacheFolder: cache).load(request)
}

/// Loads a network for frames of a size.
func makeSegmenter(
  _ request: ModelRequest, cache: String? = nil, for frame: (width: Int, height: Int) = (64, 64)
) throws(SegmentationError) -> any Segmenter {
  try loadModel(request, cache: cache)
    .makeSegmenter(frameWidth: frame.width, frameHeight: frame.height)
}

/// Returns the compiled network that a segmenter uses.
func network(of segmenter: (any Segmenter)?) -> CompiledNetwork? {
  (segmenter as? SinglePictureSegmenter)?.use.network
    ?? (segmenter as? RecurrentSegmenter)?.use.network
}

/// Expects an error of a kind, with all of the texts.
func expect(
  _ error: SegmentationError?, _ kind: SegmentationError.Kind, _ texts: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(error?.kind == kind, sourceLocation: sourceLocation)
  let text = error?.description ?? "no error"
  for part in texts { #expect(text.contains(part), "\(text)", sourceLocation: sourceLocation) }
}

/// Encodes the position in red, in steps that bfloat16 represents exactly.
///
/// Green and blue are decoys.
func color(_ x: Int, _ y: Int) -> [Float] { [Float(6 * y + x) / 32, 0.75, 0.25] }

/// The red channel of a picture of `color`.
let reds: [Float] = (0..<24).map { Float($0) / 32 }

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
  errorOf { () throws(SegmentationError) in try loadModel(request(path)) }
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
    return unsafe Array(UnsafeBufferPointer(start: matte.base, count: matte.width * matte.height))
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
