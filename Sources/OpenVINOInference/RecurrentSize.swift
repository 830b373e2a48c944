/// The size at which a network that takes any size runs.
struct RecurrentSize: Hashable {
  var width: Int
  var height: Int

  /// Four halvings leave whole pixels, and no size smaller than this has detail to find.
  private static let step = 16
  private static let smallest = 64

  /// Gives the shorter side of the frame about `lines` pixels and the longer side its aspect.
  ///
  /// Both are multiples of 16. A frame more than four times as long as wide is squeezed to that, so
  /// that a strip of 8192x16 costs no more than four squares.
  init(lines: Int, frameWidth: Int, frameHeight: Int) {
    let width = min(max(frameWidth, 1), 1 << 16)
    let height = min(max(frameHeight, 1), 1 << 16)
    let shorter = Self.rounded(min(max(lines, Self.smallest), ModelFamily.largestSide / 4))
    let exact = Double(shorter * max(width, height)) / Double(min(width, height))
    let longer = Self.rounded(min(Int(exact.rounded()), 4 * shorter))
    self.width = width < height ? shorter : longer
    self.height = width < height ? longer : shorter
  }

  /// The shape of the state that lies `level` halvings below the picture, each rounded up.
  func stateShape(level: Int, channels: Int) -> [Int] {
    var size = self
    for _ in 0..<level {
      size.width = (size.width + 1) / 2
      size.height = (size.height + 1) / 2
    }
    return [1, channels, size.height, size.width]
  }

  private static func rounded(_ length: Int) -> Int {
    max(smallest, (length + step / 2) / step * step)
  }
}
