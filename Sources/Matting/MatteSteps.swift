/// What is done to make a matte better than the network's own.
///
/// Steps are left out only to find out what they are good for.
public struct MatteSteps: OptionSet, Sendable {
  /// A bit for each step.
  public let rawValue: Int

  /// Makes a set of steps.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The network is shown the part of the frame where the people are.
  public static let crop = MatteSteps(rawValue: 1)
  /// The matte's edge is put on the picture's.
  public static let edgeRefinement = MatteSteps(rawValue: 2)
  /// Islands are dropped and holes are closed.
  public static let components = MatteSteps(rawValue: 4)

  /// A matte that is used again is moved with the picture.
  public static let matteWarp = MatteSteps(rawValue: 8)
  /// What the network has lost of a person is put back from a smaller size.
  public static let recovery = MatteSteps(rawValue: 16)
  /// Where two small networks look at the same part of a frame, both have to see somebody.
  public static let crossCheck = MatteSteps(rawValue: 32)

  /// All of them.
  public static let all: MatteSteps = [
    .crop, .edgeRefinement, .components, .matteWarp, .recovery, .crossCheck,
  ]
}
