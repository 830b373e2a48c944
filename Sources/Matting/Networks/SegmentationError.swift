/// The reason for a missing matte, with a description for the log.
public struct SegmentationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure, for code that reacts to it.
  public enum Kind: Equatable, Sendable {
    /// The inference library cannot be used.
    case runtimeUnavailable
    /// The model's file does not exist.
    case modelNotFound
    /// The model's file cannot be read, or does not contain a network.
    case modelUnreadable
    /// The network does not belong to a known family.
    case modelUnknown
    /// The description file next to the network is invalid.
    case descriptionInvalid
    /// The network has classes, but lacks a class that the user has selected.
    case subjectUnknown
    /// The device does not exist, or does not accept the network.
    case deviceRefused
    /// An inference failed.
    case inferenceFailed
    /// An inference would take too long for a frame of a live stream.
    case tooLate
  }

  /// The kind of failure.
  public let kind: Kind
  /// The failure and its remedy, with the name of the file or device.
  public let description: String

  /// The remedy for missing or damaged files of vbgfilter itself.
  public static let reinstallation =
    "install vbgfilter again (the package gstreamer1.0-vbgfilter, the wheel vbgfilter, or a build of "
    + "its sources)"

  /// The remedy for a model's file that may be damaged, as a sentence.
  public static let remedyForDamage =
    "The file may be damaged or truncated: use an undamaged copy. If it is a file of vbgfilter, "
    + "\(reinstallation)."

  /// Creates an error.
  public init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }
}
