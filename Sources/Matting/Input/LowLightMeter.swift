import PixelTypes

#if canImport(Glibc)
  import Glibc
#endif

/// Measures how dark frames are, and proposes a curve that makes them as light as well-lit frames.
///
/// A gain raises the brightest hundredth of a frame to the level of well-lit frames. A power then
/// raises the mean. Frames with a bright region, such as a window, are not changed.
/// Allocates memory only when it is created. Not thread-safe.
package final class LowLightMeter {
  /// A gain for luma, followed by a power, for luma from 0 for black to 1 for white.
  struct Curve: Equatable {
    var gain = 1.0, power = 1.0

    /// Interpolates geometrically between this curve (0) and another (1).
    func moved(_ part: Double, to other: Curve) -> Curve {
      Curve(
        gain: gain * pow(other.gain / gain, part), power: power * pow(other.power / power, part))
    }

    /// Returns the larger of the logarithmic differences of gain and power.
    func distance(to other: Curve) -> Double {
      max(abs(log(gain / other.gain)), abs(log(power / other.power)))
    }
  }

  /// Target levels of the brightest hundredth and of the mean.
  private static let highlight = 0.9, middle = 0.45
  /// The limits of the curve, because the signal of a camera in even less light is mostly noise.
  private static let maxGain = 6.0, minPower = 0.35
  /// The levels of the brightest hundredth between which the effect falls from full to zero.
  ///
  /// In 364 pictures and 531 frames of well-lit people the level was above 0.56. In 22 dark rooms
  /// it was below 0.3.
  private static let darkness = 0.35...0.55
  /// Approximate number of samples in the histogram of a frame.
  private static let samples = 4096

  private let colors: RGBCoefficients
  private let counts: Raster<Int32>

  /// Creates a meter for frames with a colorimetry.
  package init(_ colorimetry: Colorimetry) {
    colors = RGBCoefficients(colorimetry, low: 0, high: 255)
    counts = Raster(width: 256, height: 1, filledWith: 0)
  }

  /// Measures a frame for a `BrightnessCurve`.
  ///
  /// Returns the mean of its brightness, 0 to 1, and the curve's amount, 0 to 1. The amount raises
  /// the mean to the level that the networks get, and is 0 for a well-lit frame.
  package func brightness(of frame: Frame) -> (mean: Double, amount: Double) {
    let (curve, mean) = measure(frame)
    if curve == Curve() { return (mean, 0) }
    let target = pow(min(curve.gain * mean, 1), curve.power)
    // Bisection finds the amount with an error of 0.001.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<10 {
      let amount = (low + high) / 2
      let raised = (0..<3).reduce(mean) { level, _ in level + amount * level * (1 - level) }
      if raised < target { low = amount } else { high = amount }
    }
    return (mean, (low + high) / 2)
  }

  /// Measures a frame.
  func measure(_ frame: Frame) -> (curve: Curve, mean: Double) {
    count(frame)
    let level = mean(after: 1)
    let highlight = max(quantile(0.99), 1.0 / 255)
    let range = Self.darkness
    guard highlight < range.upperBound else { return (Curve(), level) }
    let gain = min(max(Self.highlight / highlight, 1), Self.maxGain)
    let middle = min(mean(after: gain), Self.middle)
    let power = max(log(Self.middle) / log(max(middle, 1e-3)), Self.minPower)
    let part = min(
      (range.upperBound - highlight) / (range.upperBound - range.lowerBound), 1)
    return (Curve().moved(part, to: Curve(gain: gain, power: power)), level)
  }

  /// Fills the histogram with the maximum of red, green and blue per sample, in code values.
  ///
  /// With luma instead, a frame with mostly red objects would seem dark.
  private func count(_ frame: Frame) {
    counts.fill(with: 0)
    let size = Double(frame.luma.width * frame.luma.height)
    let step = max(Int((size / Double(Self.samples)).squareRoot()), 1)
    for y in stride(from: step / 2, to: frame.luma.height, by: step) {
      let (luma, chroma) = unsafe (frame.luma.row(y), frame.chroma.row(y / 2))
      for x in stride(from: step / 2, to: frame.luma.width, by: step) {
        let pair = x / 2 * 2
        let grey = unsafe colors.red.luma * Float(luma[x]) + colors.red.offset
        let cb = unsafe Float(chroma[pair]) - 128
        let cr = unsafe Float(chroma[pair + 1]) - 128
        let maxOffset = max(
          colors.redFromCr * cr, colors.blueFromCb * cb,
          colors.greenFromCb * cb + colors.greenFromCr * cr)
        unsafe counts.base[Int(min(max(grey + maxOffset, 0), 255))] += 1
      }
    }
  }

  /// Returns the quantile `part` of brightness, from 0 for black to 1 for white.
  private func quantile(_ part: Double) -> Double {
    let total = (0..<256).reduce(0) { unsafe $0 + Int(counts.base[$1]) }
    var seen = 0
    for code in 0..<256 {
      seen += unsafe Int(counts.base[code])
      if Double(seen) >= part * Double(total) { return Double(code) / 255 }
    }
    return 1
  }

  /// Returns the mean brightness after multiplication by `gain`.
  private func mean(after gain: Double) -> Double {
    var (sum, total) = (0.0, 0.0)
    for code in 0..<256 {
      let count = unsafe Double(counts.base[code])
      sum += count * min(gain * Double(code) / 255, 1)
      total += count
    }
    return sum / max(total, 1)
  }
}
