#if canImport(Glibc)
  import Glibc
#endif
import OpenVINOInference
import VirtualBackground

/// The network of a quality, ready for a frame size.
struct Network {
  /// The name of its file.
  var file: String
  /// The network itself.
  var segmenter: any Segmenter

  /// Loads what the element would load.
  ///
  /// Throws `SegmentationError`, also where the quality's own network is not installed: another
  /// one's times would not be this quality's.
  init(quality: Quality, size: Options.Size, threads: Int) throws(SegmentationError) {
    let folder = OpenVINOModelLoader.modelsFolder()
    let installed = QualityLadder.files.filter { unsafe access(folder + "/" + $0, R_OK) == 0 }
    let rungs = QualityLadder.rungs(
      for: quality, frameWidth: size.width, frameHeight: size.height, installed: Set(installed))
    guard let rung = rungs.first, rung.quality == quality else {
      throw SegmentationError(
        .modelNotFound,
        "no network for \(quality.rawValue) in \(folder): run meson-helper/bootstrap")
    }
    let request = ModelRequest(
      path: folder + "/" + rung.file, lines: rung.lines, device: "CPU", threads: threads)
    file = rung.file
    segmenter = try OpenVINOModelLoader().load(request)
      .makeSegmenter(frameWidth: size.width, frameHeight: size.height)
  }
}
