/// The output matte of a network: one float per pixel, 0 for the room and 1 for the person.
///
/// It covers the same picture as the input tensor.
///
/// Safety: points into the segmenter's output tensor. Valid until the next `infer`, and only during
/// the segmenter's lifetime.
@safe public struct RawMatte {
  /// The first sample of the first row, followed by the others without padding between rows.
  public let base: UnsafePointer<Float>
  /// Samples in a row.
  public let width: Int
  /// Number of rows.
  public let height: Int

  /// Describes memory that the segmenter owns.
  @unsafe public init(base: UnsafePointer<Float>, width: Int, height: Int) {
    unsafe self.base = base
    self.width = width
    self.height = height
  }
}

/// The accuracy of a network's matte along the edge of the person.
public enum MatteEdge: Sendable {
  /// The network finds the person, but the edge only roughly.
  case approximate
  /// The network is a matting network, which estimates the alpha of each pixel.
  case exact
}
