import InferenceTypes
import OpenVINOInference
import PersonSelection
import Threads

/// Finds the faces; made on the loading thread, which keeps no reference to it, and used from then on
/// by the streaming thread alone: that is what makes it fit to be handed over.
struct LoadedFaces: @unchecked Sendable {
  let finder: any FaceFinder
}

/// Makes what finds faces of the networks in a folder.
typealias FaceLoader = Loader<String, LoadedFaces, SegmentationError>

/// Loads what finds faces when it is first needed, and keeps it.
///
/// Used on the streaming thread.
struct FaceSlot {
  private let loader: FaceLoader
  private let modelsFolder: String
  private var isAsked = false
  /// What came of the request.
  private var loaded: Result<LoadedFaces, SegmentationError>?

  /// Uses a loader of its own.
  init(_ loader: FaceLoader, modelsFolder: String) {
    self.loader = loader
    self.modelsFolder = modelsFolder
  }

  /// Makes what finds faces on a loading thread; it runs on the processor, which takes less than a
  /// millisecond for a look.
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

  /// Waits until it is known whether faces can be found; nil when the stream is flushed or stops.
  ///
  /// A frame shown before would show whoever touches the person to be kept. `isNew` is true once.
  mutating func update() -> (result: Result<LoadedFaces, SegmentationError>, isNew: Bool)? {
    if let loaded { return (loaded, false) }
    if !isAsked { loader.request(modelsFolder) }
    isAsked = true
    guard let answer = loader.wait() else { return nil }
    loaded = answer
    return (answer, true)
  }
}
