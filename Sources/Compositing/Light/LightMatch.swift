import PixelTypes

/// Moves the light on the person towards the light of a new background.
///
/// It measures both on the cells of an `EdgeGrid`, smooths the measurements over time, and finds the
/// curve that brings the person's measurements closest to the background's, within natural limits.
final class LightMatch {
  /// Seconds over which measurements are smoothed.
  private static let smoothingTime: Float = 1
  /// The change of mean luma between two frames, as a share of white, that starts afresh: a cut.
  private static let cut: Float = 0.1
  /// The minimum share of the cells that must surely belong to the person.
  private static let minShare: Float = 1.0 / 256
  /// The limits of luma's gain at black and at white.
  ///
  /// Seen on 12 pairs: more gain at black turns dark hair grey, less at white turns shirts grey.
  private static let (blackGains, whiteGains): (ClosedRange<Float>, ClosedRange<Float>) =
    (0.35...2, 0.35...1)
  /// The minimum slope of the curve at white, as a share of its gain there.
  private static let minSlope: Float = 0.15
  /// The weight of an unchanged curve, which decides between curves that are equally close.
  private static let inertia: Float = 0.001
  /// The change of saturation as a share of the change of exposure, and its limits.
  private static let saturationShare: Float = 0.8
  private static let saturations: ClosedRange<Float> = 0.6...1.3
  /// The maximum shift of chroma in code values, so that black is not visibly tinted.
  private static let maxShift: Float = 8
  /// The tangent of the maximum rotation of the skin's hue: 4 degrees.
  private static let maxRotation: Float = 0.07
  /// The share of skin in the person from which its hue fully limits the shift.
  private static let minSkin: Float = 0.02

  private let grid: EdgeGrid
  private let colorimetry: Colorimetry
  private var person = Smoothed(), background = Smoothed()
  private var time: UInt64?

  /// Measurements of a picture.
  private struct Light {
    /// The sums of luma, squared luma, Cb, Cr and weight, and of the Cb, Cr and weight of skin.
    ///
    /// Luma is 0 to 1 from black to white. Chroma is in code values from grey.
    var sums = SIMD8<Float>()

    var weight: Float { sums[4] }
    var mean: Float { sums[0] }
    var deviation: Float { max(sums[1] - mean * mean, 0).squareRoot() }

    mutating func add(_ cell: SIMD8<Float>, weight: Float) { sums += weight * cell }
  }

  /// Means that are smoothed over time.
  private struct Smoothed {
    private(set) var light: Light?
    private var lastMean: Float = 0

    /// Adds a measurement. A `share` of 1 replaces the earlier ones.
    mutating func add(_ new: Light, share: Float) {
      let means = Light(sums: new.sums / new.weight)
      let isCut = abs(means.mean - lastMean) > LightMatch.cut
      lastMean = means.mean
      let old = isCut ? means : light ?? means
      light = Light(sums: old.sums + share * (means.sums - old.sums))
    }
  }

  /// Creates a match for frames with the cells of `grid`.
  init(grid: EdgeGrid, colorimetry: Colorimetry) {
    (self.grid, self.colorimetry) = (grid, colorimetry)
  }

  /// Starts afresh with the next frame.
  func reset() {
    time = nil
    (person, background) = (Smoothed(), Smoothed())
  }

  /// Returns the curve for a frame, or nil before there is a person.
  ///
  /// - `frame` and `plate` are the mean colours of the cells, and `alpha` their mean alpha.
  /// - `amount` is the strength of the match, 0 to 1.
  /// - `time` is the time of the frame in nanoseconds.
  func curve(
    of frame: CellMeans, _ alpha: Raster<UInt8>, plate: CellMeans, amount: Double, at time: UInt64
  ) -> LightCurve? {
    let seconds = self.time.map { Float(time &- $0) / 1e9 } ?? .infinity
    self.time = time
    measure(frame, alpha, plate, share: min(seconds / Self.smoothingTime, 1))
    guard let person = person.light, let background = background.light else { return nil }
    return curve(from: person, to: background, amount: Float(amount))
  }

  /// Measures the person, and the background with more weight around the person.
  private func measure(
    _ frame: CellMeans, _ alpha: Raster<UInt8>, _ plate: CellMeans, share: Float
  ) {
    var light = Light()
    // The weight of the person's cells, and its moments: x, y, x * x and y * y.
    var moments = SIMD4<Float>(), total: Float = 1e-6
    for y in 0..<grid.height {
      let row = unsafe alpha.row(y)
      for x in 0..<grid.width where unsafe row[x] > 0 {
        let weight = unsafe Float(row[x])
        let (x, y) = (Float(x), Float(y))
        moments += weight * SIMD4(x, y, x * x, y * y)
        total += weight
      }
      for x in 0..<grid.width where unsafe row[x] >= EdgeTreatment.solidAlpha {
        light.add(cell(x, y, of: frame), weight: 1)
      }
    }
    let cells = Float(grid.width * grid.height)
    guard light.weight >= max(Self.minShare * cells, 1) else { return }
    person.add(light, share: share)
    moments /= total
    let spread = (
      x: max(moments[2] - moments[0] * moments[0], 1), y: max(moments[3] - moments[1] * moments[1], 1)
    )
    light = Light()
    for y in 0..<grid.height {
      let row = unsafe alpha.row(y)
      for x in 0..<grid.width {
        let (dx, dy) = (Float(x) - moments[0], Float(y) - moments[1])
        // Half the weight at twice the person's standard deviation from its centre.
        let distance = (dx * dx / spread.x + dy * dy / spread.y) / 4
        light.add(cell(x, y, of: plate), weight: unsafe Float(256 - Int(row[x])) / (1 + distance))
      }
    }
    background.add(light, share: share)
  }

  /// Returns the colour of a cell in the order of `Light.sums`.
  private func cell(_ x: Int, _ y: Int, of means: CellMeans) -> SIMD8<Float> {
    let scale = colorimetry.scale
    let code = unsafe Float(means.luma.row(y)[x])
    let luma = (code - Float(scale.lumaOffset)) / Float(scale.lumaSpan)
    let pair = unsafe means.chroma.row(y) + 2 * x
    let (cb, cr) = unsafe (Float(pair[0]) - 128, Float(pair[1]) - 128)
    // The usual bounds of skin in YCbCr: Chai and Ngan 1999.
    let skin: Float = (-51 ... -1).contains(cb) && (5...45).contains(cr) ? 1 : 0
    return SIMD8(luma, luma * luma, cb, cr, 1, skin * cb, skin * cr, skin)
  }

  private func curve(from person: Light, to background: Light, amount: Float) -> LightCurve {
    let (mean, deviation) = (max(person.mean, 0.02), max(person.deviation, 0.02))
    let newMean = mean + amount * (background.mean - mean)
    let newDeviation = deviation + amount * (background.deviation - deviation)
    // Both measurements of the result are linear in the gains: `a` at black and `w` at white.
    let square = mean * mean + deviation * deviation
    let ofMean = (a: mean - square, w: square)
    let ofDeviation = (a: deviation * (1 - 2 * mean), w: deviation * 2 * mean)
    let norm = ofMean.a * ofMean.a + ofDeviation.a * ofDeviation.a + Self.inertia
    /// Returns the best gain at black for a gain at white.
    func black(_ w: Float) -> Float {
      let best =
        (ofMean.a * (newMean - w * ofMean.w) + ofDeviation.a * (newDeviation - w * ofDeviation.w)
          + Self.inertia) / norm
      let maximum = min(Self.blackGains.upperBound, (2 - Self.minSlope) * w)
      return min(max(best, Self.blackGains.lowerBound), maximum)
    }
    func error(_ w: Float) -> Float {
      let a = black(w)
      let ofMean = a * ofMean.a + w * ofMean.w - newMean
      let ofDeviation = a * ofDeviation.a + w * ofDeviation.w - newDeviation
      return ofMean * ofMean + ofDeviation * ofDeviation
        + Self.inertia * ((a - 1) * (a - 1) + (w - 1) * (w - 1))
    }
    // The error is convex, so a ternary search finds its minimum.
    var (low, high) = (Self.whiteGains.lowerBound, Self.whiteGains.upperBound)
    for _ in 0..<24 {
      let third = (high - low) / 3
      if error(low + third) < error(high - third) { high -= third } else { low += third }
    }
    let white = (low + high) / 2
    let exposure = (black(white) * ofMean.a + white * ofMean.w) / mean
    let saturation = min(
      max(1 + Self.saturationShare * (exposure - 1), Self.saturations.lowerBound),
      Self.saturations.upperBound)
    let shift = shift(from: person, to: background, amount: amount, saturation: saturation)
    return LightCurve(
      gainAtBlack: black(white), gainAtWhite: white, saturation: saturation, cb: shift.cb,
      cr: shift.cr, colorimetry: colorimetry)
  }

  /// Returns the shift of chroma, limited so that skin keeps its hue.
  private func shift(
    from person: Light, to background: Light, amount: Float, saturation: Float
  ) -> (cb: Float, cr: Float) {
    let (from, to) = (person.sums, background.sums)
    var cb = amount * (to[2] - saturation * from[2]), cr = amount * (to[3] - saturation * from[3])
    let length = (cb * cb + cr * cr).squareRoot()
    var factor = min(1, Self.maxShift / max(length, 1e-3))
    (cb, cr) = (factor * cb, factor * cr)
    let skin = (cb: from[5], cr: from[6], share: max(from[7], 1e-6))
    let across = abs(skin.cb * cr - skin.cr * cb)
    let along =
      saturation * (skin.cb * skin.cb + skin.cr * skin.cr) / skin.share + skin.cb * cb
      + skin.cr * cr
    factor = min(1, max(Self.maxRotation * along, 0) / max(across, 1e-6))
    let strictness = min(skin.share / Self.minSkin, 1)
    factor = 1 - strictness * (1 - factor)
    return (factor * cb, factor * cr)
  }
}
