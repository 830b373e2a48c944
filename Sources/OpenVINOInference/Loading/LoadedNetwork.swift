import InferenceTypes

/// A network that is ready, and where it came from.
///
/// Made on the loading thread, which keeps no reference to the segmenters, and used from then on by
/// the streaming thread alone: that is what makes it fit to be handed over.
public struct LoadedNetwork: @unchecked Sendable {
  /// Find the people, whole and close up.
  public let segmenters: Segmenters
  /// The file of the network.
  public let path: String
  /// The quality it belongs to; nil for a file that the user named.
  public let quality: Quality?
  /// Why it is not the network that was asked for in the first place; empty when it is.
  public let fallbackReasons: [String]
  /// What it was asked to keep and does not know; nil when there is no such thing.
  public let unsupportedSubjects: Subjects?
  /// What the inference that most frames get takes; nil unless that was asked for.
  public let cost: InferenceCost?
}
