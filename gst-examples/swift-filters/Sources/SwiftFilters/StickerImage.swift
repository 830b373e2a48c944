import GstVideoFilterKit

/// An image for drawing into a stream's frames, in their colour format and at several sizes.
///
/// Each size is half of the previous one. A sample consists of red, green and blue, or of luma, Cb
/// and Cr, from 0 to 255 and premultiplied by alpha, and of alpha, from 0 to 1. Samples are
/// premultiplied so that the colour of transparent samples does not affect interpolation.
struct StickerImage: Sendable {
  /// The image at one size, with a border of one transparent sample.
  struct Level: Sendable {
    let width: Int
    let height: Int
    fileprivate let samples: [SIMD4<Float>]

    fileprivate init(width: Int, height: Int, _ sample: (Int, Int) -> SIMD4<Float>) {
      (self.width, self.height) = (width, height)
      var samples: [SIMD4<Float>] = []
      samples.reserveCapacity((width + 2) * (height + 2))
      for y in -1...height {
        for x in -1...width {
          let isInside = 0..<width ~= x && 0..<height ~= y
          samples.append(isInside ? sample(x, y) : .zero)
        }
      }
      self.samples = samples
    }

    fileprivate subscript(x: Int, y: Int) -> SIMD4<Float> {
      samples[(y &+ 1) &* (width &+ 2) &+ x &+ 1]
    }

    fileprivate var half: Level {
      Level(width: (width + 1) / 2, height: (height + 1) / 2) { x, y in
        // If the size is odd, this reads the transparent border.
        let upper = self[2 * x, 2 * y] + self[2 * x + 1, 2 * y]
        let lower = self[2 * x, 2 * y + 1] + self[2 * x + 1, 2 * y + 1]
        return (upper + lower) / 4
      }
    }

    /// Interpolates between the four samples around a position.
    ///
    /// The position is the distance from the upper left corner, in samples. Positions outside of
    /// the image are transparent.
    @inline(__always)
    func sample(_ x: Float, _ y: Float) -> SIMD4<Float> {
      let (x, y) = (x - 0.5, y - 0.5)
      // Also false for NaN.
      guard x > -1, x < Float(width), y > -1, y < Float(height) else { return .zero }
      let (left, top) = (x.rounded(.down), y.rounded(.down))
      let (column, row) = (Int(left), Int(top))
      let (across, down) = (x - left, y - top)
      let upper = self[column, row] * (1 - across) + self[column &+ 1, row] * across
      let lower = self[column, row &+ 1] * (1 - across) + self[column &+ 1, row &+ 1] * across
      return upper * (1 - down) + lower * down
    }
  }

  /// The levels, from the largest down to a single sample.
  private let levels: [Level]

  /// The size to which larger images are shrunk, because no face is that large.
  private static let largestSide = 1024

  /// Converts an image for a stream.
  ///
  /// This takes milliseconds.
  init(_ image: ColorImage, for stream: VideoStream) {
    let coding = Coding(stream)
    // Shrink before the conversion, which needs sixteen bytes per pixel.
    var shrink = 1
    while (max(image.width, image.height) - 1) / shrink >= Self.largestSide { shrink *= 2 }
    var level = Level(
      width: (image.width + shrink - 1) / shrink, height: (image.height + shrink - 1) / shrink
    ) { x, y in
      let (color, alpha) = image.mean(x * shrink, y * shrink, side: shrink)
      return SIMD4(coding.code(color) * alpha, alpha)
    }
    var levels = [level]
    while max(level.width, level.height) > 1 {
      level = level.half
      levels.append(level)
    }
    self.levels = levels
  }

  /// Width of the largest size.
  var width: Int { levels[0].width }
  /// Height of the largest size.
  var height: Int { levels[0].height }

  /// Returns the size for drawing with `step` samples of the largest size per pixel.
  ///
  /// `factor` is the ratio of the largest size to the returned one.
  func level(for step: Float) -> (level: Level, factor: Float) {
    var index = 0
    var factor: Float = 1
    while index + 1 < levels.count, step / factor > 1.5 {
      index += 1
      factor *= 2
    }
    return (levels[index], factor)
  }
}

extension ColorImage {
  /// Returns the mean of the pixels of a square, weighted by alpha.
  ///
  /// Red, green and blue are 0 to 255, alpha is 0 to 1. Pixels outside of the image are
  /// transparent.
  fileprivate func mean(_ left: Int, _ top: Int, side: Int) -> (SIMD3<Float>, alpha: Float) {
    var (color, alpha) = (SIMD3<Float>.zero, Float(0))
    for y in top..<min(top + side, height) {
      for x in left..<min(left + side, width) {
        let at = 4 * (y * width + x)
        let share = Float(bytes[at + 3])
        color += SIMD3(Float(bytes[at]), Float(bytes[at + 1]), Float(bytes[at + 2])) * share
        alpha += share
      }
    }
    return alpha > 0 ? (color / alpha, alpha / Float(255 * side * side)) : (.zero, 0)
  }
}

/// Converts red, green and blue to a stream's samples, without rounding.
private struct Coding {
  private let isYCbCr: Bool
  private let offset: Float
  private let luma: SIMD3<Float>
  private let cb: SIMD3<Float>
  private let cr: SIMD3<Float>

  /// Creates the conversion for the format and the colorimetry of a stream.
  init(_ stream: VideoStream) {
    isYCbCr = stream.format != .rgba
    let (kr, kb) = stream.colorimetry.lumaWeights
    let (lumaOffset, lumaSpan, chromaSpan) = stream.colorimetry.scale
    let weights = SIMD3(kr, 1 - kr - kb, kb)
    offset = Float(lumaOffset)
    luma = SIMD3<Float>(weights * (lumaSpan / 255))
    cb = SIMD3<Float>((SIMD3(0, 0, 1) - weights) * (chromaSpan / 255 / (2 * (1 - kb))))
    cr = SIMD3<Float>((SIMD3(1, 0, 0) - weights) * (chromaSpan / 255 / (2 * (1 - kr))))
  }

  func code(_ color: SIMD3<Float>) -> SIMD3<Float> {
    guard isYCbCr else { return color }
    return SIMD3(
      offset + (luma * color).sum(), 128 + (cb * color).sum(), 128 + (cr * color).sum())
  }
}
