import VirtualBackground

/// A network that sees one picture at a time.
///
/// Safety: immutable; the handles in it are used by one thread at a time, as the protocol demands.
final class SinglePictureModel: SegmentationModel, @unchecked Sendable {
  private let request: ModelRequest
  private let core: Core
  private let network: Network
  private let format: TensorFormat

  init(request: ModelRequest, core: Core, network: Network, format: TensorFormat) {
    self.request = request
    self.core = core
    self.network = network
    self.format = format
  }

  var path: String { request.path }

  func makeSegmenter(
    frameWidth: Int, frameHeight: Int
  ) throws(SegmentationError) -> any Segmenter {
    let compiled = try core.compile(
      network, device: request.device, threads: request.threads)
    return try SinglePictureSegmenter(
      request: compiled.makeRequest(), network: network, format: format)
  }
}
