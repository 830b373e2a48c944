import InferenceTypes
import OpenVINOInference
import VirtualBackground

extension NetworkRequest {
  /// The network of a quality, or the one that the settings name.
  init(
    _ settings: Settings, quality: Quality, device: String, threads: Int, frameWidth: Int,
    frameHeight: Int, isMeasured: Bool = false
  ) {
    var source = Source.ladder(quality, subjects: settings.subjects)
    if let path = settings.model {
      source = .file(
        path, lines: QualityLadder.lines(for: quality), subjects: settings.subjects)
    }
    self.init(
      source, device: device, threads: threads, frameWidth: frameWidth, frameHeight: frameHeight,
      isMeasured: isMeasured)
  }
}
