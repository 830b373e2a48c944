/// Why there is no matte, in words for the person who reads the log.
public struct SegmentationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of trouble, for the code that has to react.
  public enum Kind: Equatable, Sendable {
    /// The inference library cannot be used.
    case runtimeUnavailable
    /// The model's file does not exist.
    case modelNotFound
    /// The model's file cannot be read, or holds no network.
    case modelUnreadable
    /// The network is of no known family.
    case modelUnknown
    /// What is written about the network beside its file is wrong.
    case descriptionInvalid
    /// The network knows classes, but not one that is to be kept.
    case subjectUnknown
    /// The device does not exist, or does not take the network.
    case deviceRefused
    /// One inference went wrong.
    case inferenceFailed
  }

  /// What kind of trouble.
  public let kind: Kind
  /// What happened and what to do about it, with the name of the file or device.
  public let description: String

  /// What brings back files of vbgfilter's own that are missing or damaged.
  public static let reinstallation =
    "install vbgfilter again (the package gstreamer1.0-vbgfilter, the wheel vbgfilter, or a build of "
    + "its sources)"

  /// Makes an error.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
