import InputFiles
import Matting

/// Files of a model, of limited size.
extension RegularFile {
  /// Opens a file of a model.
  static func ofModel(_ path: String) throws(SegmentationError) -> RegularFile {
    let size: Int
    do throws(FileError) {
      let file = try RegularFile(path: path)
      if file.size <= limit { return file }
      size = file.size
    } catch {
      throw SegmentationError(error, path)
    }
    throw SegmentationError(
      .modelUnreadable,
      "\(path) is too large for a model: it has \(size) bytes, and at most \(limit) are read.")
  }

  /// Reads up to `count` bytes from the beginning, by default the whole file.
  func bytes(
    upTo count: Int = .max, isCancelled: () -> Bool = { false }
  ) throws(SegmentationError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(count, size))
    try forEachPart(upTo: count, isCancelled: isCancelled) { bytes += $0 }
    return bytes
  }

  /// Returns the checksum of all bytes, which can be the `seed` for another file.
  func checksum(seed: UInt64, isCancelled: () -> Bool) throws(SegmentationError) -> UInt64 {
    var sum = seed
    try forEachPart(isCancelled: isCancelled) { part in
      sum = unsafe part.withUnsafeBytes { unsafe Checksum.of($0, seed: sum) }
    }
    return sum
  }

  private func forEachPart(
    upTo count: Int = .max, isCancelled: () -> Bool, _ body: ([UInt8]) -> Void
  ) throws(SegmentationError) {
    let end = min(count, size)
    var offset = 0
    while offset < end {
      if isCancelled() { throw SegmentationError(.modelUnreadable, "\(path) is no longer needed.") }
      let part: [UInt8]
      do throws(FileError) {
        part = try Self.read(descriptor, at: offset, count: min(Self.pieceSize, end - offset))
      } catch {
        throw SegmentationError(error, path)
      }
      if part.isEmpty { return }
      body(part)
      offset += part.count
    }
  }
}

extension SegmentationError {
  fileprivate init(_ error: FileError, _ path: String) {
    switch error {
    case .notFound:
      self.init(
        .modelNotFound,
        "There is no model \(path): check the path, or use a model in \(RuntimeFolder.models()). "
          + "If it is a model of vbgfilter, \(SegmentationError.reinstallation).")
    case .unreadable:
      self.init(.modelUnreadable, "\(path) \(error). Check the file and its permissions.")
    case .directory:
      self.init(.modelUnreadable, "\(path) \(error): a model is one .onnx, .tflite or .xml file.")
    case .special:
      self.init(.modelUnreadable, "\(path) \(error): put a regular file there.")
    }
  }
}
