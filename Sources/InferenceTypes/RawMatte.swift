/// A matte as a network gives it: one float a pixel, 0 for the room and 1 for the person, over the
/// same picture that went into the input tensor.
///
/// Safety: points into the segmenter's output tensor; valid until its next `infer` or its end.
@safe public struct RawMatte {
  /// The first sample of the first row; rows follow without padding.
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

/// How well a network's matte follows the edge of the person.
public enum MatteEdge: Sendable {
  /// It knows where the person is, and the edge about.
  case approximate
  /// It was made to find the alpha of each pixel.
  case exact
}
