/// What two users have in common when one compiled network serves both.
struct CompiledNetworkKey: Hashable {
  var identity: ModelIdentity
  var device: String
  var parallelism: Parallelism
  /// The precision set in the environment, or nil for the device's default.
  var precision: String?
  /// How the network was changed before it was compiled; empty for a network as it was read.
  var variant = ""
  var cacheFolder: String?
}
