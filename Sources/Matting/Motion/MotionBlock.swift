/// The blocks of a `MotionField`.
enum MotionBlock {
  /// Blocks speak for squares of `1 << spacingShift` samples.
  static let spacingShift = 2
  /// Extent of the squares that are compared, by `RowKernels.blockDistance`.
  static let window = 8
  /// Where a block lay between samples is known to a sixteenth: `1 << fractionShift` are a sample.
  static let fractionShift = 4
}

/// A step from a block to where it lay, in samples unless it is said to be in sixteenths.
struct MotionVector: Equatable {
  var x = 0, y = 0
}
