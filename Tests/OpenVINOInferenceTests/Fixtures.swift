import Glibc
import VirtualBackground

@testable import OpenVINOInference

/// The path of a tiny network from `Tests/Fixtures/models`.
func fixture(_ name: String) -> String {
  let here = #filePath
  let tests = here.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
  return tests.joined(separator: "/") + "/Fixtures/models/" + name
}

/// The path of a network of the ladder when the runtime folder has it.
func realModel(_ name: String) -> String? {
  let path = OpenVINOModelLoader.modelsFolder() + "/" + name
  return unsafe access(path, R_OK) == 0 ? path : nil
}

/// A request as the element makes it.
func request(
  _ path: String, lines: Int = 144, device: String = "CPU", threads: Int = 1
) -> ModelRequest {
  ModelRequest(path: path, lines: lines, device: device, threads: threads)
}

/// What `body` throws, nil when it does not.
func errorOf<Result>(_ body: () throws(SegmentationError) -> Result) -> SegmentationError? {
  do throws(SegmentationError) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

/// What loading a fixture throws.
func loadError(_ path: String) -> SegmentationError? {
  errorOf { () throws(SegmentationError) in try OpenVINOModelLoader().load(request(path)) }
}

/// A folder of one test's own, gone with the last reference to it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/vbgfilter-tests-XXXXXX".utf8CString)
    path = unsafe template.withUnsafeMutableBufferPointer {
      guard let name = $0.baseAddress, unsafe mkdtemp(name) != nil else { return "" }
      return unsafe String(cString: name)
    }
  }

  deinit {
    guard let directory = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if unsafe unlink(path + "/" + name) != 0 { unsafe rmdir(path + "/" + name) }
    }
    unsafe closedir(directory)
    unsafe rmdir(path)
  }

  /// Writes a file and gives its path.
  func write(_ name: String, _ bytes: some Sequence<UInt8>) -> String {
    let file = path + "/" + name
    let bytes = Array(bytes)
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let written = unsafe Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
    return written == bytes.count ? file : ""
  }
}

/// All bytes of a file.
func contents(_ path: String) -> [UInt8] {
  let descriptor = unsafe open(path, O_RDONLY)
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = unsafe read(descriptor, &chunk, chunk.count)
    if count <= 0 { return bytes }
    bytes += chunk[..<count]
  }
}

extension Segmenter {
  /// Writes one RGB value for each pixel, given its place, and runs the network.
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

  /// The matte of a picture of one grey.
  func matte(ofGrey value: Float) throws(SegmentationError) -> [Float] {
    try matte { _, _ in [value, value, value] }
  }
}
