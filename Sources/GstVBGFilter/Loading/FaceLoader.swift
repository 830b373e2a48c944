import InferenceTypes
import OpenVINOInference
import PersonSelection
import Threads

/// A face finder, created on the loading thread.
///
/// Sendable because only one thread at a time uses it: the loading thread until it is loaded, then
/// the streaming thread, or the side thread during a job.
struct LoadedFaces: @unchecked Sendable {
  let finder: any FaceFinder
}

/// Loads a face finder from the networks in a folder.
typealias FaceLoader = Loader<String, LoadedFaces, SegmentationError>

extension FaceLoader {
  /// Creates a loader of face finders that run on the CPU.
  ///
  /// A search takes less than a millisecond.
  convenience init(on thread: LoadingThread, waking wait: StreamWait) {
    self.init(on: thread, waking: wait) { (modelsFolder, _) throws(SegmentationError) in
      LoadedFaces(
        finder: TwoNetworkFaceFinder(
          try FaceDetector(modelsFolder: modelsFolder),
          halfHidden: try HalfHiddenFaces(modelsFolder: modelsFolder)))
    }
  }
}
