import PixelTypes

#if canImport(Glibc)
  import Glibc
#endif

/// Makes dark frames brighter for the networks, which learned from people in the light.
///
/// A gain brings the brightest hundredth of a frame to where it lies in the light, a power brings the
/// mean up. A frame that has light anywhere, such as that of a person before a window, is left as it
/// is. Allocates nothing after it is made; used on one thread at a time.
final class LowLightCurve {
  /// What luma is multiplied by, and the power that it is raised to then; 0 is black and 1 is white.
  private struct Curve: Equatable {
    var gain = 1.0, power = 1.0

    /// The part of the way, 0 to 1, from this curve to another; ratios are what is seen.
    func moved(_ part: Double, to other: Curve) -> Curve {
      Curve(
        gain: gain * pow(other.gain / gain, part), power: power * pow(other.power / power, part))
    }

    /// By how much a grey in the middle is made brighter than by another curve, or darker.
    func distance(to other: Curve) -> Double {
      max(abs(log(gain / other.gain)), abs(log(power / other.power)))
    }
  }

  /// Where the brightest hundredth is to lie, and the mean.
  private static let highlight = 0.9, middle = 0.45
  /// What a camera makes of still less light is noise.
  private static let greatestGain = 6.0, leastPower = 0.35
  /// Frames whose brightest hundredth lies below the range are dark, above it they are left alone.
  ///
  /// Its luma lay above 0.56 in 364 pictures and 531 frames of people in the light, below 0.3 in 22
  /// dark rooms.
  private static let darkness = 0.35...0.55
  /// Ticks of a `MatteClock` in which most of a change is followed...
  private static let adaptation = Double(MatteClock.ticks(seconds: 1))
  /// ...unless it is by such a factor: that is another scene, or a lamp.
  private static let leap = log(1.4)
  /// A curve so near the wanted one stays, so that a network sees the same of a still scene.
  private static let tolerance = log(1.03)
  /// About so many samples tell how light a frame is.
  private static let samples = 4096

  private let black: Double, span: Double
  private let colors: RGBCoefficients
  private let counts: Raster<Int32>
  /// By what a luma and the chroma beside it are multiplied.
  private let gains: Raster<Float>, chromaGains: Raster<Float>
  private var curve = Curve()
  private var hasPast = false

  /// Makes one for frames of a colorimetry.
  init(_ colorimetry: Colorimetry) {
    (black, span) = (colorimetry.scale.lumaOffset, colorimetry.scale.lumaSpan)
    colors = RGBCoefficients(colorimetry, low: 0, high: 255)
    counts = Raster(width: 256, height: 1, filledWith: 0)
    gains = Raster(width: 256, height: 1, filledWith: 1)
    chromaGains = Raster(width: 256, height: 1, filledWith: 1)
  }

  /// Forgets the light of earlier frames.
  func reset() {
    hasPast = false
  }

  /// Adapts to the light of a frame, so many ticks after the one before.
  func adapt(to frame: Frame, after ticks: Int) {
    let wanted = wantedCurve(for: frame)
    let distance = curve.distance(to: wanted)
    let before = curve
    if !hasPast || distance > Self.leap {
      curve = wanted
    } else if distance > Self.tolerance {
      curve = curve.moved(1 - exp(-Double(ticks) / Self.adaptation), to: wanted)
    } else if wanted == Curve() {
      // Light is left exactly as it is.
      curve = wanted
    }
    hasPast = true
    if curve != before { tabulate() }
  }

  /// Whether rows have to be adjusted.
  var isActive: Bool { curve != Curve() }

  /// From 0 in the light to 1 where luma is at least doubled, and its noise with it.
  var darkness: Double { min(max(log2(curve.gain), 0), 1) }

  /// Whether a frame is so dark that a network mistakes more of the room for people: luma is multiplied by
  /// 1.4 at least.
  var isDark: Bool { darkness >= 0.5 }

  /// Makes a row of code values brighter, in place.
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

  private func wantedCurve(for frame: Frame) -> Curve {
    count(frame)
    let highlight = max(quantile(0.99), 1.0 / 255)
    let range = Self.darkness
    guard highlight < range.upperBound else { return Curve() }
    let gain = min(max(Self.highlight / highlight, 1), Self.greatestGain)
    let middle = min(mean(after: gain), Self.middle)
    let power = max(log(Self.middle) / log(max(middle, 1e-3)), Self.leastPower)
    let part = min(
      (range.upperBound - highlight) / (range.upperBound - range.lowerBound), 1)
    return Curve().moved(part, to: Curve(gain: gain, power: power))
  }

  /// Counts how light samples are, in code values: each is as light as the lightest of its colours, or
  /// a red room would be a dark one.
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
        let most = max(
          colors.redFromCr * cr, colors.blueFromCb * cb,
          colors.greenFromCb * cb + colors.greenFromCr * cr)
        unsafe counts.base[Int(min(max(grey + most, 0), 255))] += 1
      }
    }
  }

  /// How light the lightest of such a part of the samples is, the darkest first; 1 is white.
  private func quantile(_ part: Double) -> Double {
    let total = (0..<256).reduce(0) { unsafe $0 + Int(counts.base[$1]) }
    var seen = 0
    for code in 0..<256 {
      seen += unsafe Int(counts.base[code])
      if Double(seen) >= part * Double(total) { return Double(code) / 255 }
    }
    return 1
  }

  /// The mean when all is multiplied by `gain`.
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
      // The slope of the curve: what the power would do to each colour, to the first order. The ratio
      // would make the noise of dark colours larger.
      unsafe chromaGains.base[code] = Float(bright / luma * curve.power)
    }
  }
}
