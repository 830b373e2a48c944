/// The steps that improve the network's matte.
///
/// Steps are disabled only for ablation measurements.
public struct MatteSteps: OptionSet, Sendable {
  /// One bit per step.
  public let rawValue: Int

  /// Creates a set of steps.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Segments a crop around the people instead of the whole frame.
  public static let crop = MatteSteps(rawValue: 1)
  /// Aligns the matte's edge with the picture's.
  public static let edgeRefinement = MatteSteps(rawValue: 2)
  /// Removes islands that are not people.
  public static let components = MatteSteps(rawValue: 4)

  /// Warps a reused matte with the motion of the picture.
  public static let matteWarp = MatteSteps(rawValue: 8)
  /// Restores parts of people that a low-resolution pass found but the network missed.
  public static let recovery = MatteSteps(rawValue: 16)
  /// Compares two small networks, and keeps only regions in which both find a person.
  public static let crossCheck = MatteSteps(rawValue: 32)

  /// All steps.
  public static let all: MatteSteps = [
    .crop, .edgeRefinement, .components, .matteWarp, .recovery, .crossCheck,
  ]
}
