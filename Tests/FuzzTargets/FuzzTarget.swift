import Glibc

/// What is fuzzed: each target drives one part of the project with bytes that come from outside.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// What files of pictures tell before anything decodes them.
  case pictures
  /// Descriptions of networks, key files, and the names in ONNX files.
  case descriptions
  /// What lies in the folder of the compiled networks.
  case cache
  /// The numbers that networks put out, and the masks of others.
  case mattes
  /// What a network says of faces, and the faces over time.
  case faces
  /// Buffers and what they say about themselves, through the element.
  case buffers
  /// Sequences of calls of the engine.
  case engine
  /// The row kernels of each instruction set.
  case kernels

  /// Does with `bytes` what the target does.
  ///
  /// Throws where a promise is broken; a trap or a sanitizer's report ends the process instead.
  public func run(_ bytes: [UInt8]) throws(Finding) {
    switch self {
    case .pictures: try inspectPicture(bytes)
    case .descriptions: try readDescription(bytes)
    case .cache: try useCache(bytes)
    case .mattes: try readMatte(bytes)
    case .faces: try findFaces(bytes)
    case .buffers: try pushBuffers(bytes)
    case .engine: try driveEngine(bytes)
    case .kernels: try compareKernels(bytes)
    }
  }

  /// Where folders cost the least.
  static let memory = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
}

/// A promise that was not kept.
public struct Finding: Error, CustomStringConvertible {
  /// What was promised and what was seen.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Throws unless a promise is kept.
func expect(
  _ isKept: Bool, _ promise: @autoclosure () -> String
) throws(Finding) {
  if !isKept { throw Finding(promise()) }
}
