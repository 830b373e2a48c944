/// An image in memory: red, green, blue and straight alpha, without padding.
struct ColorImage: Equatable, Sendable {
  /// Pixels in a row, at least one.
  let width: Int
  /// Rows of pixels, at least one.
  let height: Int
  /// Four bytes for each pixel, row by row.
  let bytes: [UInt8]
}
