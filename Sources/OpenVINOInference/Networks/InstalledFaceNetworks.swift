import InferenceTypes
import PersonSelection
import Processor

extension FaceDetector {
  /// Makes a detector with the installed network, or the one of another folder.
  ///
  /// Opens OpenVINO and compiles the network: takes some hundredths of a second. `device` is
  /// OpenVINO's name of it; with 0 `threads` the choice is the device's.
  ///
  /// Throws `SegmentationError`: `.modelNotFound`, `.modelUnreadable` or `.modelUnknown` for the
  /// file, `.runtimeUnavailable` without OpenVINO, `.deviceRefused` when it has no such device.
  public convenience init(
    modelsFolder: String = OpenVINOModelLoader.modelsFolder(), device: String = "CPU",
    threads: Int = 1
  ) throws(SegmentationError) {
    let network = try installed(BlazeFace.file, in: modelsFolder) {
      path throws(SegmentationError) in
      try BlazeFace(path: path, device: device, threads: threads)
    }
    self.init(network: network, kernels: InstructionSet.current.kernels)
  }
}

extension HalfHiddenFaces {
  /// Makes one with the installed network, or the one of another folder, on one thread.
  ///
  /// Throws `SegmentationError` as `FaceDetector` does.
  public convenience init(
    modelsFolder: String = OpenVINOModelLoader.modelsFolder()
  ) throws(SegmentationError) {
    let network = try installed(CenterFace.file, in: modelsFolder) {
      path throws(SegmentationError) in
      try CenterFace(path: path, device: "CPU", threads: 1)
    }
    self.init(network: network, kernels: InstructionSet.current.kernels)
  }
}

/// Makes the network of an installed file; what is missing the user did not choose.
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
