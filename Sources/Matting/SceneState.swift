/// The knowledge about the scene, which decides whether frames need an inference of their own.
enum SceneState {
  /// The scene is known: two of its mattes agreed.
  case known
  /// The scene is new: each frame gets an inference until two mattes agree.
  ///
  /// `coverage` refers to the last matte, and is nil before the first matte of the scene.
  case new(coverage: Double?)
  /// The scene changed during a side inference, which still uses the people of the old scene.
  case changed

  /// The maximum difference in coverage, as a share of the frame, between two mattes that agree.
  private static let maxCoverageChange = 0.005

  var isKnown: Bool { if case .known = self { true } else { false } }
  /// Whether the scene is new and has no matte yet.
  var isEmpty: Bool { if case .new(nil) = self { true } else { false } }

  /// Checks whether the last two mattes agree, if the scene is not known.
  mutating func recordMatte(coverage: @autoclosure () -> Double) {
    guard case .new(let last) = self else { return }
    let coverage = coverage()
    let agrees = last.map { abs($0 - coverage) <= Self.maxCoverageChange } == true
    self = agrees ? .known : .new(coverage: coverage)
  }
}
