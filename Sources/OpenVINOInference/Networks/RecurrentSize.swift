/// The input size of a network that accepts any size.
struct RecurrentSize: Hashable {
  var width: Int
  var height: Int

  /// The network halves the size four times, so both extents must be multiples of 16.
  private static let step = 16
  /// The minimum extent, because smaller sizes contain no useful detail.
  private static let smallest = 64

  /// Chooses a size with about as many pixels as `lines` lines of a 16:9 picture.
  ///
  /// The aspect ratio is between the frame's and a square's. The network gets a crop around the
  /// people, which is usually narrower than a camera frame. Both extents are multiples of 16, and
  /// one is at most twice the other.
  init(lines: Int, frameWidth: Int, frameHeight: Int) {
    let width = Double(min(max(frameWidth, 1), 1 << 16))
    let height = Double(min(max(frameHeight, 1), 1 << 16))
    let lines = Double(min(max(lines, 1), ModelFamily.largestSide / 4))
    let aspect = min(max(width / height, 0.25), 4).squareRoot()
    let pixels = lines * lines * 16 / 9
    self.width = Self.rounded((pixels * aspect).squareRoot())
    self.height = Self.rounded((pixels / aspect).squareRoot())
  }

  /// Returns the shape of the state after `level` halvings of the size, each rounded up.
  func stateShape(level: Int, channels: Int) -> [Int] {
    var size = self
    for _ in 0..<level {
      size.width = (size.width + 1) / 2
      size.height = (size.height + 1) / 2
    }
    return [1, channels, size.height, size.width]
  }

  private static func rounded(_ length: Double) -> Int {
    max(smallest, (Int(length) + step / 2) / step * step)
  }
}
