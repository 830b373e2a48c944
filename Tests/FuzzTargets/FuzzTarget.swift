import Glibc

/// A fuzz target, which drives one part of the project with external bytes.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// The headers of picture files, which are read before decoding.
  case pictures
  /// Descriptions of networks, key files, and the names in ONNX files.
  case descriptions
  /// The cache folder of compiled networks.
  case cache
  /// Network outputs, and masks from upstream.
  case mattes
  /// Outputs of face networks, and the tracking of faces.
  case faces
  /// Buffers and their metadata, through the element.
  case buffers
  /// Sequences of calls of the engine.
  case engine
  /// The row kernels of each instruction set.
  case kernels

  /// Runs the target with `bytes`.
  ///
  /// Throws if an invariant is violated. A trap or a sanitizer's report ends the process.
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

  /// The parent of temporary folders, on the fastest file system.
  static let memory = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
}

/// A violated invariant.
public struct Finding: Error, CustomStringConvertible {
  /// The wrong behaviour, with the observed values.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Throws if an invariant is violated, with a text that describes the failure.
func expect(_ invariant: Bool, _ failure: @autoclosure () -> String) throws(Finding) {
  if !invariant { throw Finding(failure()) }
}
