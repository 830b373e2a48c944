import Glibc
import PixelTypes

/// Brightens dark frames for the networks, which were trained on well-lit people.
///
/// A gain raises the brightest hundredth of a frame to the level of well-lit frames. A power then
/// raises the mean. Frames with a bright region, such as a window, are not changed.
/// Allocates memory only when it is created. Not thread-safe.
package final class LowLightCurve {
  /// A gain for luma, followed by a power, for luma from 0 for black to 1 for white.
  private struct Curve: Equatable {
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
  /// The quantiles of the person's and of the whole frame's samples that are bright in well-lit
  /// frames.
  ///
  /// In 364 pictures of well-lit or backlit people the larger one was above 0.55, except in one. In
  /// 22 dark rooms it was below 0.32. A lamp or a window may cover a tenth of the frame.
  private static let personHighlight = 0.95, roomHighlight = 0.9
  /// Time constant of the adaptation to gradual changes, in `MatteClock` ticks.
  package static let adaptation = Double(MatteClock.ticks(seconds: 1))
  /// The logarithm of the maximum gradual change.
  ///
  /// A larger change is a scene cut or a lamp, and is followed at once.
  package static let maxGradualChange = log(1.4)
  /// The maximum difference from the target curve that is ignored, so that a still scene stays
  /// constant.
  private static let tolerance = log(1.03)
  /// Approximate number of samples in the histogram of a frame.
  private static let samples = 4096

  private let black: Double, span: Double
  private let colors: RGBCoefficients
  private let counts: Raster<Int32>
  /// The factors for each luma value and for its chroma.
  private let gains: Raster<Float>, chromaGains: Raster<Float>
  private var curve = Curve()
  private var hasPast = false

  package init(_ colorimetry: Colorimetry) {
    (black, span) = (colorimetry.scale.lumaOffset, colorimetry.scale.lumaSpan)
    colors = RGBCoefficients(colorimetry, low: 0, high: 255)
    counts = Raster(width: 256, height: 1, filledWith: 0)
    gains = Raster(width: 256, height: 1, filledWith: 1)
    chromaGains = Raster(width: 256, height: 1, filledWith: 1)
  }

  func reset() { hasPast = false }

  /// Adapts to the brightness of a frame, `ticks` after the previous one.
  func adapt(to frame: Frame, after ticks: Int) {
    count(frame)
    let wanted = wantedCurve(highlight: quantile(0.99))
    let distance = curve.distance(to: wanted)
    let before = curve
    if !hasPast || distance > Self.maxGradualChange {
      curve = wanted
    } else if distance > Self.tolerance {
      curve = curve.moved(1 - exp(-Double(ticks) / Self.adaptation), to: wanted)
    } else if wanted == Curve() {
      // Well-lit frames are not changed at all.
      curve = wanted
    }
    hasPast = true
    if curve != before { tabulate() }
  }

  /// Whether rows must be adjusted.
  var isActive: Bool { curve != Curve() }

  /// Darkness from 0 for a well-lit frame to 1 if luma and its noise are at least doubled.
  var darkness: Double { min(max(log2(curve.gain), 0), 1) }

  /// Whether luma is multiplied by at least 1.4, so that networks have more false positives.
  var isDark: Bool { darkness >= 0.5 }

  /// Brightens a row of code values in place.
  func adjust(
    _ luma: UnsafeMutablePointer<Float>, _ cb: UnsafeMutablePointer<Float>,
    _ cr: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let black = Float(black)
    for i in 0..<count {
      let index = unsafe Int(min(max(luma[i], 0), 255))
      let (gain, chromaGain) = unsafe (gains.base[index], chromaGains.base[index])
      unsafe luma[i] = black + (luma[i] - black) * gain
      unsafe cb[i] = 128 + (cb[i] - 128) * chromaGain
      unsafe cr[i] = 128 + (cr[i] - 128) * chromaGain
    }
  }

  /// Measures a frame for a brightening `LightCurve`, without an effect on this curve.
  ///
  /// Returns the mean of its brightness, 0 to 1, and the amount that raises the mean to the level
  /// that the networks get, 0 to 1. The amount is 0 for a well-lit frame. A lamp or a small window
  /// does not make a frame well lit, unless it lights the person in `matte`, which has a sample for
  /// each one of `frame`.
  package func measure(_ frame: Frame, _ matte: Raster<UInt8>) -> (mean: Double, amount: Double) {
    count(frame, inside: matte)
    let person = quantile(Self.personHighlight)
    count(frame)
    let wanted = wantedCurve(
      highlight: min(quantile(0.99), max(person, quantile(Self.roomHighlight))))
    let mean = mean(after: 1)
    let target = wanted == Curve() ? 0 : pow(min(wanted.gain * mean, 1), wanted.power)
    var (low, high) = (0.0, 1.0)
    for _ in 0..<10 {
      let amount = (low + high) / 2
      let raised = (0..<3).reduce(mean) { level, _ in level + amount * level * (1 - level) }
      if raised < target { low = amount } else { high = amount }
    }
    return (mean, low)
  }

  /// Returns the curve for the counted samples, of which `highlight` is the brightest part.
  private func wantedCurve(highlight: Double) -> Curve {
    let highlight = max(highlight, 1.0 / 255)
    let range = Self.darkness
    guard highlight < range.upperBound else { return Curve() }
    let gain = min(max(Self.highlight / highlight, 1), Self.maxGain)
    let middle = min(mean(after: gain), Self.middle)
    let power = max(log(Self.middle) / log(max(middle, 1e-3)), Self.minPower)
    let part = min((range.upperBound - highlight) / (range.upperBound - range.lowerBound), 1)
    return Curve().moved(part, to: Curve(gain: gain, power: power))
  }

  /// Fills the histogram with the maximum of red, green and blue per sample, in code values.
  ///
  /// With `matte`, only samples of the person are counted.
  ///
  /// With luma instead, a frame with mostly red objects would seem dark.
  private func count(_ frame: Frame, inside matte: Raster<UInt8>? = nil) {
    counts.fill(with: 0)
    let size = Double(frame.luma.width * frame.luma.height)
    let step = max(Int((size / Double(Self.samples)).squareRoot()), 1)
    for y in stride(from: step / 2, to: frame.luma.height, by: step) {
      let (luma, chroma) = unsafe (frame.luma.row(y), frame.chroma.row(y / 2))
      for x in stride(from: step / 2, to: frame.luma.width, by: step) {
        if let matte, unsafe matte.row(y)[x] < Matte.solid { continue }
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

  /// Returns the quantile `part` of brightness, from 0 for black to 1 for white, or 0 without
  /// samples.
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

  private func tabulate() {
    for code in 0..<256 {
      let luma = max((Double(code) - black) / span, 0.5 / span)
      let bright = pow(min(curve.gain * luma, 1), curve.power)
      unsafe gains.base[code] = Float(bright / luma)
      // The slope of the curve is a first-order approximation of the power for each colour. The
      // ratio would amplify the noise of dark colours.
      unsafe chromaGains.base[code] = Float(bright / luma * curve.power)
    }
  }
}
