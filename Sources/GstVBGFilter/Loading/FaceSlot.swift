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

/// Loads the face finder when it is first needed, and keeps it.
///
/// Used only on the streaming thread.
struct FaceSlot {
  private let loader: FaceLoader
  private let modelsFolder: String
  /// The result of loading, or nil before it ends.
  private var loaded: Result<LoadedFaces, SegmentationError>?

  /// Creates a slot, which must be the only user of `loader`.
  init(_ loader: FaceLoader, modelsFolder: String) {
    self.loader = loader
    self.modelsFolder = modelsFolder
  }

  /// Creates a loader for face finders.
  ///
  /// A face finder runs on the CPU. A search takes less than a millisecond.
  static func makeLoader(on thread: LoadingThread, waking wait: StreamWait) -> FaceLoader {
    FaceLoader(on: thread, waking: wait) { (modelsFolder, _) throws(SegmentationError) in
      LoadedFaces(
        finder: TwoNetworkFaceFinder(
          try FaceDetector(modelsFolder: modelsFolder),
          halfHidden: try HalfHiddenFaces(modelsFolder: modelsFolder)))
    }
  }

  /// Ends loading.
  func end() { loader.end() }

  /// Whether the face finder could not be loaded.
  var isMissing: Bool { if case .failure = loaded { true } else { false } }

  /// Waits until the face finder is loaded or has failed to load.
  ///
  /// A frame without the face finder would also show people who touch the selected person.
  ///
  /// Returns the result of loading. `isNew` is true the first time that there is a result.
  mutating func update() -> (readiness: Readiness<LoadedFaces, SegmentationError>, isNew: Bool) {
    if let loaded { return (Readiness(loaded), false) }
    guard let answer = loader.fetch(modelsFolder, waits: true) else { return (.interrupted, false) }
    loaded = answer
    return (Readiness(answer), true)
  }
}
