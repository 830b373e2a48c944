/// The size at which a network that takes any size runs.
struct RecurrentSize: Hashable {
  var width: Int
  var height: Int

  /// Four halvings leave whole pixels, and no size smaller than this has detail to find.
  private static let step = 16
  private static let smallest = 64

  /// Gives pictures about as many pixels as `lines` lines of 16:9 have, in a shape between the
  /// frame's and a square: people are not as wide as what cameras see, and the network looks at the
  /// part of the frame that shows them.
  ///
  /// Both extents are multiples of 16, and one is at most twice the other.
  init(lines: Int, frameWidth: Int, frameHeight: Int) {
    let width = Double(min(max(frameWidth, 1), 1 << 16))
    let height = Double(min(max(frameHeight, 1), 1 << 16))
    let lines = Double(min(max(lines, 1), ModelFamily.largestSide / 4))
    let aspect = min(max(width / height, 0.25), 4).squareRoot()
    let pixels = lines * lines * 16 / 9
    self.width = Self.rounded((pixels * aspect).squareRoot())
    self.height = Self.rounded((pixels / aspect).squareRoot())
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

  private static func rounded(_ length: Double) -> Int {
    max(smallest, (Int(length) + step / 2) / step * step)
  }
}
