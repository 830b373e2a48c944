/// One segmenter's share in a compiled network.
final class NetworkUse {
  let network: CompiledNetwork

  init(of network: CompiledNetwork) {
    self.network = network
    network.countUsers(1)
  }

  deinit {
    network.countUsers(-1)
  }
}
