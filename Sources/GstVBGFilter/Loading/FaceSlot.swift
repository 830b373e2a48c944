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

  /// Waits until the face finder is loaded or has failed to load.
  ///
  /// Returns nil if the stream is flushed or stops. A frame shown earlier would also show people
  /// who touch the kept person. `isNew` is true once.
  mutating func update() -> (result: Result<LoadedFaces, SegmentationError>, isNew: Bool)? {
    if let loaded { return (loaded, false) }
    if !isAsked { loader.request(modelsFolder) }
    isAsked = true
    guard let answer = loader.wait() else { return nil }
    loaded = answer
    return (answer, true)
  }
}
