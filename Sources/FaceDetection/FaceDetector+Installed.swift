import InferenceTypes
import OpenVINOInference
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
    let network: BlazeFace
    do {
      network = try BlazeFace(
        path: modelsFolder + "/" + BlazeFace.file, device: device, threads: threads)
    } catch {
      guard error.kind == .modelNotFound else { throw error }
      // The user chose no path that could be checked.
      throw OpenVINOModelLoader.notInstalled(BlazeFace.file, in: modelsFolder)
    }
    self.init(network: network, kernels: InstructionSet.current.kernels)
  }
}
