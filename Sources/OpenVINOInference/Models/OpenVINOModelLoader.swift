import InferenceTypes

/// Reads networks with OpenVINO.
///
/// Making one costs nothing; the library is opened at the first `load`.
public struct OpenVINOModelLoader: SegmentationModelLoader {
  private let cacheFolder: @Sendable () -> String?

  /// Makes a loader, which keeps compiled networks in the user's cache folder.
  ///
  /// That is `$XDG_CACHE_HOME/vbgfilter` or `~/.cache/vbgfilter`, the folder that `VBGFILTER_CACHE`
  /// names, or none when that is `0`.
  public init() {
    cacheFolder = CacheFolder.path
  }

  /// Makes a loader that keeps compiled networks in a folder, or nowhere.
  init(cacheFolder: String?) {
    self.cacheFolder = { cacheFolder }
  }

  /// The folder where the networks of the ladder lie.
  ///
  /// `models` in the runtime folder: the one that `VBGFILTER_RUNTIME_DIR` names, else
  /// `../vbgfilter` as seen from the plugin's folder. It may not exist; nothing is opened.
  public static func modelsFolder() -> String {
    RuntimeFolder.models()
  }

  /// The folder that `VBGFILTER_RUNTIME_DIR` names; nil when it names none.
  public static func namedRuntimeFolder() -> String? {
    RuntimeFolder.override()
  }

  /// The error, `.modelNotFound`, to tell when something is missing among the installed networks.
  ///
  /// `what` is a word, or a file's name; `folder` is where it was looked for. The text says how
  /// `VBGFILTER_RUNTIME_DIR` leads to another folder, and what it is set to.
  public static func notInstalled(
    _ what: String = "network", in folder: String = modelsFolder()
  ) -> SegmentationError {
    RuntimeFolder.notInstalled(what, in: folder, override: RuntimeFolder.override())
  }

  /// Reads and recognises a model.
  ///
  /// Stops reading the files when `isCancelled` returns true. Throws `SegmentationError`:
  /// `.modelNotFound`, `.modelUnreadable` or `.modelUnknown` for the file, `.runtimeUnavailable`
  /// without OpenVINO, `.deviceRefused` if OpenVINO does not have the device.
  public func load(
    _ request: ModelRequest, isCancelled: () -> Bool
  ) throws(SegmentationError) -> any SegmentationModel {
    // First what is wrong with the file, which needs no library.
    _ = try ModelFile(request.path)
    let core = try Core(OpenVINOLibrary.shared())
    _ = try core.properties(of: request.device)
    let cache = cacheFolder().map {
      NetworkCache(folder: "\($0)/openvino-\(core.library.release)")
    }
    return try LoadedModel(request, core: core, cache: cache, isCancelled: isCancelled)
  }
}
