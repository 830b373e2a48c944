import PixelTypes

#if canImport(Glibc)
  import Glibc
#endif

/// Brightens dark frames for the networks, which were trained on well-lit people.
///
/// The curve follows the one that a `LowLightMeter` proposes for each frame.
/// Allocates memory only when it is created. Not thread-safe.
final class LowLightCurve {
  private typealias Curve = LowLightMeter.Curve

  /// Time constant of the adaptation to gradual changes, in `MatteClock` ticks.
  private static let adaptation = Double(MatteClock.ticks(seconds: 1))
  /// The maximum gradual change.
  ///
  /// A larger change is a scene cut or a lamp, and is followed at once.
  private static let maxGradualChange = log(1.4)
  /// The maximum difference from the target curve that is ignored, so that a still scene stays
  /// constant.
  private static let tolerance = log(1.03)
  private let black: Double, span: Double
  private let meter: LowLightMeter
  /// The factors for each luma value and for its chroma.
  private let gains: Raster<Float>, chromaGains: Raster<Float>
  private var curve = Curve()
  private var hasPast = false

  /// Creates a curve for frames with a colorimetry.
  init(_ colorimetry: Colorimetry) {
    (black, span) = (colorimetry.scale.lumaOffset, colorimetry.scale.lumaSpan)
    meter = LowLightMeter(colorimetry)
    gains = Raster(width: 256, height: 1, filledWith: 1)
    chromaGains = Raster(width: 256, height: 1, filledWith: 1)
  }

  /// Discards the brightness of earlier frames.
  func reset() {
    hasPast = false
  }

  /// Adapts to the brightness of a frame, `ticks` after the previous one.
  func adapt(to frame: Frame, after ticks: Int) {
    let wanted = meter.measure(frame).curve
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
