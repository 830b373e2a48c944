import InferenceTypes
import OpenVINOInference
import PersonSelection
import Threads

/// A face finder, made on the loading thread.
///
/// That thread keeps no reference to it. Only the streaming thread uses it from then on, so handing
/// it over is safe.
struct LoadedFaces: @unchecked Sendable {
  let finder: any FaceFinder
}

/// Makes the face finder from the networks in a folder.
typealias FaceLoader = Loader<String, LoadedFaces, SegmentationError>

/// Lazily loads the face finder.
///
/// Used on the streaming thread.
struct FaceSlot {
  private let loader: FaceLoader
  private let modelsFolder: String
  private var isAsked = false
  /// The result of the request.
  private var loaded: Result<LoadedFaces, SegmentationError>?

  /// `loader` belongs to the slot.
  init(_ loader: FaceLoader, modelsFolder: String) {
    self.loader = loader
    self.modelsFolder = modelsFolder
  }

  /// Makes a loader for face finders.
  ///
  /// A face finder runs on the processor, which takes less than a millisecond per search.
  static func makeLoader(on thread: LoadingThread, waking wait: StreamWait) -> FaceLoader {
    FaceLoader(on: thread, waking: wait) { (modelsFolder, _) throws(SegmentationError) in
      LoadedFaces(
        finder: FollowedFaces(
          try FaceDetector(modelsFolder: modelsFolder),
          halfHidden: try HalfHiddenFaces(modelsFolder: modelsFolder)))
    }
  }

  /// Ends all loading.
  func end() { loader.end() }

  /// Whether the face finder could not be loaded.
  var isMissing: Bool { if case .failure = loaded { true } else { false } }

  /// Waits until the face finder is loaded or has failed to load.
  ///
  /// A frame shown earlier would also show people who touch the kept person. `isNew` is true once.
  mutating func update() -> (readiness: Readiness<LoadedFaces, SegmentationError>, isNew: Bool) {
    if let loaded { return (Readiness(loaded), false) }
    if !isAsked { loader.request(modelsFolder) }
    isAsked = true
    guard let answer = loader.wait() else { return (.interrupted, false) }
    loaded = answer
    return (Readiness(answer), true)
  }
}
