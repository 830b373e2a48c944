import PixelTypes

/// Moves the light on the person towards the light of a new background.
///
/// It measures both on the cells of an `EdgeGrid`, smooths the measurements over time, and finds
/// the curve that brings the person's measurements closest to the background's, within natural
/// limits.
final class LightMatch {
  /// Seconds over which measurements are smoothed.
  private static let smoothingTime: Float = 1
  /// The change of the person's mean luma between two frames that counts as a cut, as a share of
  /// white.
  ///
  /// The pictures of a background video have no cuts, because a strobe would flash on the person.
  private static let cut: Float = 0.1
  /// The minimum share of the cells that must certainly belong to the person.
  private static let minShare: Float = 1.0 / 256
  /// The limits of luma's gain at black and at white.
  ///
  /// In 12 test pairs: more gain at black turns dark hair grey, less at white turns shirts grey.
  private static let (blackGains, whiteGains): (ClosedRange<Float>, ClosedRange<Float>) =
    (0.35...2, 0.35...1)
  /// The minimum slope of the curve at white, as a share of its gain there.
  private static let minSlope: Float = 0.15
  /// The distance from white above which luma gets no gain, so that the red of skin does not clip.
  private static let headroom: Float = 0.2
  /// The change of saturation as a share of a reduction of exposure.
  private static let saturationShare: Float = 0.6
  /// The share of the person's tint that is removed: 1 made faces purple, 0.5 highlights greenish.
  private static let tintShare: Float = 0.25
  /// The maximum shift of chroma in code values, so that black is not visibly tinted.
  private static let maxShift: Float = 8
  /// The tangent of the maximum rotation of the skin's hue: 3 degrees.
  private static let maxRotation: Float = 0.052

  private let grid: EdgeGrid
  private let colorimetry: Colorimetry
  private var person = Light(), background = Light()
  private var time: UInt64?

  /// Measurements that are smoothed over time.
  private struct Light {
    /// The mean of luma, its standard deviation, the means of Cb, Cr and 1, and of the Cb, Cr and 1
    /// of skin.
    ///
    /// Luma is 0 to 1 from black to white. Chroma is in code values from grey.
    var means = SIMD8<Float>()
    var luma: Float { max(means[0], 0.02) }

    /// The mean luma of the last measurement.
    private var last: Float = -1

    /// Adds weighted sums of the values of cells.
    ///
    /// A `share` of 1 replaces the earlier measurements, as does a change of more than `cut`.
    mutating func add(_ sums: SIMD8<Float>, share: Float, cut: Float = .infinity) {
      var new = sums / sums[4]
      new[1] = max(new[1] - new[0] * new[0], 0.0004).squareRoot()
      means += (means[4] == 0 || abs(new[0] - last) > cut ? 1 : share) * (new - means)
      last = new[0]
    }
  }

  init(grid: EdgeGrid, colorimetry: Colorimetry) {
    (self.grid, self.colorimetry) = (grid, colorimetry)
  }

  /// Discards the light of the background, because another one follows.
  func resetBackground() { background = Light() }

  /// Returns the curve for a frame, or nil before there is a person.
  ///
  /// - `frame` and `plate` are the mean colours of the cells, and `alpha` their mean alpha.
  /// - `amount` is the strength of the match, 0 to 1.
  /// - `time` is the time of the frame in nanoseconds. A pause restarts the smoothing.
  func curve(
    of frame: CellMeans, _ alpha: Raster<UInt8>, plate: CellMeans, amount: Double, at time: UInt64
  ) -> LightCurve? {
    let seconds = self.time.map { Float(time &- $0) / 1e9 } ?? .infinity
    self.time = time
    measure(frame, alpha, plate, share: min(seconds / Self.smoothingTime, 1))
    if person.means[4] == 0 { return nil }
    // The limits weaken the match, so raise small amounts. Then 0.7 halves the difference in light,
    // measured on 12 pairs.
    return curve(amount: Float(amount * (1.5 - 0.5 * amount)))
  }

  /// Measures the person, and the background with more weight around the person.
  private func measure(
    _ frame: CellMeans, _ alpha: Raster<UInt8>, _ plate: CellMeans, share: Float
  ) {
    // The weight of the person's cells, and its moments: x, y, x * x and y * y.
    var moments = SIMD4<Float>(), total: Float = 0
    var sums = SIMD8<Float>()
    for y in 0..<grid.height {
      let row = unsafe alpha.row(y)
      for x in 0..<grid.width where unsafe row[x] > 0 {
        let weight = unsafe Float(row[x])
        total += weight
        moments += weight * SIMD4(Float(x), Float(y), Float(x * x), Float(y * y))
        if weight >= Float(EdgeGrid.solidAlpha) { sums += cell(x, y, of: frame) }
      }
    }
    guard sums[4] >= max(Self.minShare * Float(grid.width * grid.height), 1) else { return }
    person.add(sums, share: share, cut: Self.cut)
    moments /= total
    let spreadX = max(moments[2] - moments[0] * moments[0], 1)
    let spreadY = max(moments[3] - moments[1] * moments[1], 1)
    sums = SIMD8()
    for y in 0..<grid.height {
      let row = unsafe alpha.row(y)
      for x in 0..<grid.width {
        let (dx, dy) = (Float(x) - moments[0], Float(y) - moments[1])
        // Half the weight at twice the person's standard deviation from its centre.
        let distance = (dx * dx / spreadX + dy * dy / spreadY) / 4
        sums += unsafe Float(256 - Int(row[x])) / (1 + distance) * cell(x, y, of: plate)
      }
    }
    background.add(sums, share: share)
  }

  /// Returns the colour of a cell in the order of `Light.means`, with squared luma.
  private func cell(_ x: Int, _ y: Int, of means: CellMeans) -> SIMD8<Float> {
    let scale = colorimetry.scale
    let code = unsafe Float(means.luma.row(y)[x])
    let luma = (code - Float(scale.lumaOffset)) / Float(scale.lumaSpan)
    let pair = unsafe means.chroma.row(y) + 2 * x
    let (cb, cr) = unsafe (Float(pair[0]) - 128, Float(pair[1]) - 128)
    // The usual bounds of skin in YCbCr: Chai and Ngan 1999.
    let skin: Float = cb >= -51 && cb < 0 && cr >= 5 && cr <= 45 ? 1 : 0
    return SIMD8(luma, luma * luma, cb, cr, 1, skin * cb, skin * cr, skin)
  }

  private func curve(amount: Float) -> LightCurve {
    let (mean, deviation) = (person.luma, person.means[1])
    let newMean = mean + amount * (background.luma - mean)
    let newDeviation = deviation + amount * (background.means[1] - deviation)
    // To first order, both measurements of the result are linear in the gains: `a` at black and
    // `w` at white.
    let square = mean * mean + deviation * deviation
    let ofMean = (a: mean - square, w: square)
    let ofDeviation = (a: deviation * (1 - 2 * mean), w: deviation * 2 * mean)
    // Both coefficients are 0 if half of the person is black and half is white.
    let norm = max(ofMean.a * ofMean.a + ofDeviation.a * ofDeviation.a, 1e-6)
    /// Returns the best gain at black for a gain at white, and the remaining error.
    func fit(_ w: Float) -> (a: Float, error: Float) {
      let (mean, deviation) = (newMean - w * ofMean.w, newDeviation - w * ofDeviation.w)
      let best = (ofMean.a * mean + ofDeviation.a * deviation) / norm
      let maximum = min(
        Self.blackGains.upperBound, (2 - Self.minSlope) * w,
        (1 - w * (1 - Self.headroom)) / Self.headroom)
      let a = min(max(best, Self.blackGains.lowerBound), maximum)
      let (first, second) = (a * ofMean.a - mean, a * ofDeviation.a - deviation)
      return (a, first * first + second * second)
    }
    // The error is convex, so a ternary search finds its minimum.
    var (low, high) = (Self.whiteGains.lowerBound, Self.whiteGains.upperBound)
    for _ in 0..<24 {
      let third = (high - low) / 3
      if fit(low + third).error < fit(high - third).error { high -= third } else { low += third }
    }
    let black = fit(low).a
    let exposure = (black * ofMean.a + low * ofMean.w) / mean
    let saturation = 1 + Self.saturationShare * (min(exposure, 1) - 1)
    let shift = shift(amount: amount, saturation: saturation)
    return LightCurve(
      gainAtBlack: black, gainAtWhite: low, saturation: saturation, cb: shift.cb, cr: shift.cr,
      colorimetry: colorimetry)
  }

  /// Returns the shift of chroma, limited so that skin keeps its hue.
  private func shift(amount: Float, saturation: Float) -> (cb: Float, cr: Float) {
    let (from, to) = (person.means, background.means)
    let own = Self.tintShare * saturation
    let cb = amount * (to[2] - own * from[2]), cr = amount * (to[3] - own * from[3])
    let factor = min(1, Self.maxShift / max((cb * cb + cr * cr).squareRoot(), 1e-3))
    let across = factor * abs(from[5] * cr - from[6] * cb)
    let along =
      saturation * (from[5] * from[5] + from[6] * from[6]) / max(from[7], 1e-6)
      + factor * (from[5] * cb + from[6] * cr)
    // The summand allows the shift for a few cells with the colour of skin.
    let limit = max(Self.maxRotation * along, 0) + 0.05
    let both = factor * min(1, limit / max(across, 1e-6))
    return (both * cb, both * cr)
  }
}
