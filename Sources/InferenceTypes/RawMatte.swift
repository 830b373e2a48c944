/// The output matte of a network: one float per pixel, 0 for the background and 1 for the person.
///
/// The matte covers the same area as the input tensor.
///
/// Safety: `base` points into the segmenter's output tensor. It is valid until the next `infer`,
/// and only during the segmenter's lifetime.
@safe public struct RawMatte {
  /// The first sample of the first row, followed by the others without padding between rows.
  public let base: UnsafePointer<Float>
  /// Samples in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int

  /// Creates a matte in memory that the segmenter owns.
  @unsafe public init(base: UnsafePointer<Float>, width: Int, height: Int) {
    unsafe self.base = base
    self.width = width
    self.height = height
  }
}

/// The accuracy of a network's matte along the edge of the person.
public enum MatteEdge: Sendable {
  /// The edge is only roughly correct.
  case approximate
  /// The edge is exact: a matting network estimates the alpha of each pixel.
  case exact
}
