import Matting

/// Reads networks with OpenVINO.
///
/// Creating a loader is cheap: the first `load` opens OpenVINO.
public struct OpenVINOModelLoader: SegmentationModelLoader {
  private let cacheFolder: @Sendable () -> String?

  /// Creates a loader that keeps compiled networks in the user's cache folder.
  ///
  /// The folder is `$XDG_CACHE_HOME/vbgfilter` or `~/.cache/vbgfilter`. `VBGFILTER_CACHE` replaces
  /// it, or disables the cache if it is `0`.
  public init() { cacheFolder = { CacheFolder.path() } }

  /// Creates a loader that keeps compiled networks in a folder, or uses no cache if it is nil.
  init(cacheFolder: String?) { self.cacheFolder = { cacheFolder } }

  /// Returns the folder of the installed networks.
  ///
  /// It is `models` in the runtime folder, which is `VBGFILTER_RUNTIME_DIR` or `../vbgfilter`
  /// relative to the plugin's folder. The folder need not exist.
  public static func modelsFolder() -> String { RuntimeFolder.models() }

  /// Returns the value of the variable `VBGFILTER_RUNTIME_DIR`, or nil if it is not set.
  public static func namedRuntimeFolder() -> String? { RuntimeFolder.override() }

  /// Returns OpenVINO's name for the precision in which a segmenter computes, such as `f32` or
  /// `bf16`.
  ///
  /// The result is nil if the device has no such property, or if OpenVINO does not run the
  /// segmenter.
  public static func precision(of segmenter: any Segmenter) -> String? {
    let use = (segmenter as? SinglePictureSegmenter)?.use ?? (segmenter as? RecurrentSegmenter)?.use
    return use?.network.property("INFERENCE_PRECISION_HINT")
  }

  /// Returns the error `.modelNotFound` for a missing installed network.
  ///
  /// `what` names the thing that is missing in `folder`, for example a file. The message explains
  /// `VBGFILTER_RUNTIME_DIR` and contains its value.
  public static func notInstalled(
    _ what: String = "network", in folder: String = modelsFolder()
  ) -> SegmentationError {
    RuntimeFolder.notInstalled(what, in: folder)
  }

  /// Reads and recognises a model.
  ///
  /// Stops reading the files if `isCancelled` returns true.
  ///
  /// Throws `SegmentationError`:
  /// - `.modelNotFound`, `.modelUnreadable` or `.modelUnknown`, for the file
  /// - `.runtimeUnavailable`, if OpenVINO is not available
  /// - `.deviceRefused`, if OpenVINO does not have the device
  public func load(
    _ request: ModelRequest, isCancelled: () -> Bool
  ) throws(SegmentationError) -> any SegmentationModel {
    // Check the file first, because that does not need OpenVINO.
    _ = try ModelFormat(ofFile: request.path)
    let core = try Core(OpenVINOLibrary.shared())
    _ = try core.properties(of: request.device)
    let cache = cacheFolder().map {
      NetworkCache(folder: "\($0)/openvino-\(core.library.release)")
    }
    return try LoadedModel(request, core: core, cache: cache, isCancelled: isCancelled)
  }
}
