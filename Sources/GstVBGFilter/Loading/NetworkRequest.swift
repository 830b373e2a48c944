import InferenceTypes
import OpenVINOInference
import VirtualBackground

extension NetworkRequest {
  /// The network that the settings ask for.
  init(_ settings: Settings, device: String, threads: Int, frameWidth: Int, frameHeight: Int) {
    var source = Source.ladder(settings.quality, subjects: settings.subjects)
    if let path = settings.model {
      source = .file(
        path, lines: settings.quality == .accurate ? 288 : 144, subjects: settings.subjects)
    }
    self.init(
      source, device: device, threads: threads, frameWidth: frameWidth, frameHeight: frameHeight)
  }
}
