import Glibc
import InferenceTypes
import OpenVINOInference
import Processor
import VirtualBackground

/// The networks of a quality, loaded for the frames of a stream.
struct RoomNetwork {
  let segmenters: Segmenters

  /// Loads the best installed networks for a quality; takes up to a second.
  ///
  /// - Throws: `SegmentationError`, when none can be loaded.
  init(
    _ quality: Quality, frameWidth: Int, frameHeight: Int,
    folder: String = OpenVINOModelLoader.modelsFolder()
  ) throws {
    let installed = QualityLadder.files.filter { unsafe access("\(folder)/\($0)", R_OK) == 0 }
    let rungs = QualityLadder.rungs(
      for: quality, frameWidth: frameWidth, frameHeight: frameHeight, installed: Set(installed))
    var failure = OpenVINOModelLoader.notInstalled(in: folder)
    for (index, rung) in rungs.enumerated() {
      do throws(SegmentationError) {
        segmenters = try Self.load(rung, folder, frameWidth, frameHeight)
        return
      } catch {
        // The error of the best network is reported.
        if index == 0 { failure = error }
      }
    }
    throw failure
  }

  private static func load(
    _ rung: QualityLadder.Rung, _ folder: String, _ frameWidth: Int, _ frameHeight: Int
  ) throws(SegmentationError) -> Segmenters {
    func make(_ file: String) throws(SegmentationError) -> any Segmenter {
      try OpenVINOModelLoader().load(
        ModelRequest(
          path: "\(folder)/\(file)", lines: rung.lines, device: "CPU",
          threads: UsableCores.count())
      ).makeSegmenter(frameWidth: frameWidth, frameHeight: frameHeight)
    }
    let wholeFrame = try make(rung.file)
    guard let closeUp = rung.closeUp else { return Segmenters(wholeFrame: wholeFrame) }
    return Segmenters(
      wholeFrame: wholeFrame,
      closeUp: Segmenters.CloseUp(
        segmenter: closeUp.file == rung.file ? wholeFrame : try make(closeUp.file),
        overview: closeUp.overview == rung.file ? wholeFrame : try make(closeUp.overview),
        framing: closeUp.framing))
  }
}
