/// One segmenter's share in a compiled network.
final class NetworkUse {
  let network: CompiledNetwork
  // While it is in use, the model need not be read again.
  private let source: ModelSource

  init(of network: CompiledNetwork, from source: ModelSource) {
    self.network = network
    self.source = source
    network.countUsers(1)
  }

  deinit {
    network.countUsers(-1)
  }
}
