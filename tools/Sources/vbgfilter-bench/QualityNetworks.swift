#if canImport(Glibc)
  import Glibc
#endif
import Matting
import OpenVINOInference

/// The networks of a quality, loaded for a frame size.
struct QualityNetworks {
  /// The file name of the network for whole frames.
  var file: String
  /// All networks of the quality.
  var segmenters: Segmenters

  /// The network that runs for most frames of the sample.
  ///
  /// It is the network for whole frames, because the person fills the sample's frames.
  var usual: any Segmenter { segmenters.wholeFrame }

  /// Loads the networks that the element would load for one person.
  ///
  /// - Throws: `SegmentationError`, if a network of this quality is missing or fails. Unlike the
  ///   element, this initializer uses no network of another quality instead.
  init(quality: Quality, size: BenchmarkOptions.Size, threads: Int) throws(SegmentationError) {
    let folder = OpenVINOModelLoader.modelsFolder()
    let installed = QualityLadder.files.filter { unsafe access(folder + "/" + $0, R_OK) == 0 }
    let rungs = QualityLadder.rungs(
      for: quality, frameWidth: size.width, frameHeight: size.height, installed: Set(installed))
    guard let rung = rungs.first, rung.quality == quality else {
      throw SegmentationError(
        .modelNotFound,
        "no network for \(quality.rawValue) in \(folder): run meson-helper/bootstrap")
    }
    file = rung.file
    func make(_ file: String, lines: Int? = nil) throws(SegmentationError) -> any Segmenter {
      try OpenVINOModelLoader().load(
        ModelRequest(
          path: folder + "/" + file, lines: lines ?? rung.lines, device: "CPU", threads: threads)
      ).makeSegmenter(frameWidth: size.width, frameHeight: size.height)
    }
    let first = try make(rung.file)
    segmenters = Segmenters(wholeFrame: first)
    guard let crop = rung.crop else { return }
    let peopleFinder = crop.peopleFinder == rung.file ? first : try make(crop.peopleFinder)
    let close = crop.file == rung.file ? first : try make(crop.file)
    var coarse: (any Segmenter)?
    if let lines = crop.coarseLines { coarse = try make(crop.file, lines: lines) }
    segmenters.crop = Segmenters.Crop(
      segmenter: close, peopleFinder: peopleFinder, coarse: coarse, margins: crop.margins)
  }
}
