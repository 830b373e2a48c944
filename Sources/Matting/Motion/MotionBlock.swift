/// The geometry of the blocks of a `MotionField`.
enum MotionBlock {
  /// Each block represents a square of `1 << spacingShift` by `1 << spacingShift` samples.
  static let spacingShift = 2
  /// Side of the squares that `RowKernels.blockDistance` compares, in samples.
  static let window = 8
  /// Subsample vectors count sixteenths: `1 << fractionShift` are a sample.
  static let fractionShift = 4
}

/// A vector from a block to its earlier position, in samples unless documented otherwise.
struct MotionVector: Equatable {
  var x = 0, y = 0
}
