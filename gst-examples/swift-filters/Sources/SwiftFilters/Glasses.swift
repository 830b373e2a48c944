/// The default sticker: round glasses.
///
/// If the image is as wide as the face, the eyes are in the middle of the lenses.
enum Glasses {
  /// The image, which is drawn at the first use.
  static let image = draw()

  private static let (width, height) = (512, 208)
  private static let eyeDistance: Float = 224
  private static let lensRadius: Float = 84
  private static let rimWidth: Float = 16
  private static let tint: Float = 0.25

  private static func draw() -> ColorImage {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let alpha = alpha(
          Float(x) + 0.5 - Float(width) / 2, Float(y) + 0.5 - Float(height) / 2)
        bytes += [24, 20, 32, UInt8((alpha * 255).rounded())]
      }
    }
    return ColorImage(width: width, height: height, bytes: bytes)
  }

  /// Returns the coverage of a pixel, 0 to 1.
  ///
  /// `x` and `y` are distances from the middle of the image.
  private static func alpha(_ x: Float, _ y: Float) -> Float {
    // The halves are mirror images. The edges of all shapes are a pixel wide.
    let x = x.magnitude
    func coverage(_ distance: Float) -> Float { min(max(0.5 - distance, 0), 1) }
    let (lensX, lensY) = (x - eyeDistance / 2, y)
    let fromLens = (lensX * lensX + lensY * lensY).squareRoot()
    let lens = coverage(fromLens - lensRadius)
    let rim = coverage((fromLens - lensRadius).magnitude - rimWidth / 2)
    // The bars go from lens to lens and from each lens to the ear, above the middle of the lenses.
    let isOutside = fromLens > lensRadius
    let bar = isOutside ? coverage((y + 20).magnitude - rimWidth * 0.4) : 0
    return max(rim, bar, lens * tint)
  }
}
