import InferenceTypes
import PersonSelection

extension FaceDetector {
  /// Creates a detector with the installed network, or the one in another folder.
  ///
  /// Opens OpenVINO and compiles the network, which takes some hundredths of a second. `device` is
  /// OpenVINO's name of the device. If `threads` is 0, the device chooses the number of threads.
  ///
  /// Throws `SegmentationError`:
  /// - `.modelNotFound`, `.modelUnreadable` or `.modelUnknown`, for the file
  /// - `.runtimeUnavailable`, if OpenVINO is not available
  /// - `.deviceRefused`, if OpenVINO does not have the device
  public convenience init(
    modelsFolder: String = OpenVINOModelLoader.modelsFolder(), device: String = "CPU",
    threads: Int = 1
  ) throws(SegmentationError) {
    let network = try installed(BlazeFace.file, in: modelsFolder) {
      path throws(SegmentationError) in
      try BlazeFace(path: path, device: device, threads: threads)
    }
    self.init(network: network)
  }
}

extension HalfHiddenFaces {
  /// Creates a finder with the installed network, or the one in another folder.
  ///
  /// An inference uses one thread. Throws the same errors as the initializer of `FaceDetector`.
  public convenience init(
    modelsFolder: String = OpenVINOModelLoader.modelsFolder()
  ) throws(SegmentationError) {
    let network = try installed(CenterFace.file, in: modelsFolder) {
      path throws(SegmentationError) in
      try CenterFace(path: path, device: "CPU", threads: 1)
    }
    self.init(network: network)
  }
}

/// Creates the network of an installed file.
///
/// Reports a missing file as an incomplete installation.
private func installed<Network>(
  _ file: String, in folder: String, make: (String) throws(SegmentationError) -> Network
) throws(SegmentationError) -> Network {
  do {
    return try make(folder + "/" + file)
  } catch {
    guard error.kind == .modelNotFound else { throw error }
    throw OpenVINOModelLoader.notInstalled(file, in: folder)
  }
}
