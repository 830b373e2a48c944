import Matting
import PixelTypes

#if canImport(Glibc)
  import Glibc
#endif

/// Brightens dark frames, and averages the noise of a person who does not move.
///
/// The result is a copy of the frame. Averaging uses only samples that were inside the person in all
/// averaged frames, so pixels of the room in earlier frames never get into a frame. Well-lit frames
/// are not changed, and need no memory. Not thread-safe.
package final class LowLight: BandedWork {
  /// The maximum gradual change of mean brightness, and the time constant in `MatteClock` ticks.
  ///
  /// A larger change is a scene cut or a lamp, and is followed at once. A phone or a sheet of paper that appears changes the mean of a dark room by less.
  private static let maxGradualChange = 1.4, adaptation = Double(MatteClock.ticks(seconds: 1))
  /// Added to the means, 0 to 1, so that noise in a black frame is no change.
  private static let blackLevel = 0.02
  /// The change of the curve's slope from which frames of the old brightness are not averaged.
  ///
  /// About a twentieth of the maximum slope.
  private static let maxSlopeChange = 16
  /// The maximum weight of earlier frames, of 255.
  ///
  /// It divides the deviation of noise by 2.6.
  private static let maxWeight: UInt8 = 191
  /// The ratio of the noise to the lower quartile of the differences between reduced samples.
  ///
  /// For Gaussian noise, this is two standard deviations.
  private static let noiseFactor = 6
  /// The limits of noise in code values.
  private static let noiseRange = 1...6
  /// Approximate number of samples from which noise is measured.
  private static let samples = 4096

  private let format: FrameFormat
  private let shift: Int
  private let bands: Bands
  private let kernels: any RowKernels.Type
  private let job = BandedJob()
  private let meter: LowLightMeter
  private var clock = MatteClock()
  /// The mean brightness of the last frame and the amount of its curve, both 0 to 1.
  private var light: (mean: Double, amount: Double)?
  private var pictures: Pictures?
  private var work: (frame: Frame, curve: BrightnessCurve, pictures: Pictures)?

  /// The memory for dark frames.
  private final class Pictures {
    let luma: Raster<UInt8>, chroma: Raster<UInt8>
    let reducedLuma: Raster<UInt8>, reducedChroma: Raster<UInt8>
    /// The mean of each reduced sample before the curve, as for `pastWeights`.
    let past: Raster<UInt16>, pastChroma: Raster<UInt16>
    /// The weights of earlier frames per reduced sample, and the part of each row that has any.
    let weights: Raster<UInt8>
    var spans: [Range<Int>]
    /// Memory for a row of weights, with one sample before and after, and for one of chroma.
    let line: Raster<UInt8>, chromaLine: Raster<UInt8>
    /// For each band, the weights and the new samples of a row.
    let rows: [(weights: Raster<UInt8>, new: Raster<UInt8>)]
    var slope: UInt16 = 0

    init(_ format: FrameFormat, reduced: Frame, isReduced: Bool, bands: Bands) {
      func raster(_ width: Int, _ height: Int) -> Raster<UInt8> {
        Raster(width: width, height: height, filledWith: 0)
      }
      let (width, height) = (reduced.luma.width, reduced.luma.height)
      let rowWidth = 2 * format.chromaWidth
      luma = raster(format.width, format.height)
      chroma = raster(rowWidth, format.chromaHeight)
      reducedLuma = raster(isReduced ? width : 0, height)
      reducedChroma = raster(isReduced ? reduced.chroma.width : 0, reduced.chroma.height)
      past = Raster(width: width, height: height, filledWith: 0)
      pastChroma = Raster(width: width, height: reduced.chroma.height, filledWith: 0)
      weights = raster(width + 1, height)
      spans = Array(repeating: 0..<0, count: height)
      line = raster(width + 2, 1)
      chromaLine = raster(width, 1)
      rows = (0..<bands.count).map { _ in (raster(rowWidth, 1), raster(rowWidth, 1)) }
    }
  }

  /// Creates a treatment for frames of `format`, whose reduced pictures are smaller by `1 << shift`.
  package init(format: FrameFormat, shift: Int, bands: Bands, kernels: any RowKernels.Type) {
    (self.format, self.shift, self.bands, self.kernels) = (format, shift, bands, kernels)
    meter = LowLightMeter(format.colorimetry)
  }

  /// Discards the earlier frames.
  package func reset() {
    light = nil
    pictures = nil
    clock.reset()
  }

  /// Returns brightened copies of a frame at `time` nanoseconds and of its reduced picture, or nil
  /// for a well-lit frame.
  ///
  /// `strength` is 0 to 1. `matte` has a sample for each one of `reduced`. The copies are valid
  /// until the next call.
  package func treat(
    _ frame: Frame, reduced: Frame, matte: Matte, strength: Double, at time: UInt64
  ) -> (frame: Frame, reduced: Frame)? {
    let isNewScene = adapt(to: reduced, after: clock.advance(to: time))
    guard let light,
      let curve = BrightnessCurve(amount: light.amount * strength, format.colorimetry)
    else {
      pictures = nil
      return nil
    }
    let pictures =
      pictures ?? Pictures(format, reduced: reduced, isReduced: shift > 0, bands: bands)
    self.pictures = pictures
    if isNewScene || abs(Int(curve.slope) - Int(pictures.slope)) > Self.maxSlopeChange {
      pictures.past.fill(with: 0)
      pictures.pastChroma.fill(with: 0)
    }
    pictures.slope = curve.slope
    findWeights(reduced, matte.samples, pictures)
    work = (frame, curve, pictures)
    job.perform(self, bands)
    work = nil
    let result = Frame(luma: pictures.luma.plane, chroma: pictures.chroma.plane)
    guard shift > 0 else { return (result, result) }
    let small = Frame(luma: pictures.reducedLuma.plane, chroma: pictures.reducedChroma.plane)
    for y in 0..<small.luma.height {
      unsafe kernels.brightenRow(reduced.luma.row(y), curve, small.luma.row(y), small.luma.width)
    }
    for y in 0..<small.chroma.height {
      let bottom = min(2 * y + 1, small.luma.height - 1)
      unsafe kernels.brightenPairs(
        reduced.chroma.row(y), reduced.luma.row(2 * y), reduced.luma.row(bottom), curve,
        small.chroma.row(y), small.chroma.width / 2)
    }
    return (result, small)
  }

  /// Follows the brightness of the frames, and returns whether this one shows another scene.
  private func adapt(to frame: Frame, after ticks: Int) -> Bool {
    let wanted = meter.brightness(of: frame)
    guard let last = light,
      abs(log((wanted.mean + Self.blackLevel) / (last.mean + Self.blackLevel)))
        < log(Self.maxGradualChange)
    else {
      light = wanted
      return true
    }
    let share = 1 - exp(-Double(ticks) / Self.adaptation)
    light = (wanted.mean, last.amount + share * (wanted.amount - last.amount))
    return false
  }

  /// Computes the weights of earlier frames, which are 0 outside of the person and where anything
  /// moves.
  private func findWeights(_ frame: Frame, _ matte: Raster<UInt8>, _ pictures: Pictures) {
    let (past, pastChroma) = (pictures.past, pictures.pastChroma)
    let (noise, chromaNoise) = (noise(of: frame.luma, past), noise(of: frame.chroma, pastChroma))
    let (width, height) = (past.width, past.height)
    let (line, chromaLine) = unsafe (pictures.line.base, pictures.chromaLine.base)
    for y in 0..<height {
      let weights = unsafe pictures.weights.row(y)
      // A pixel of the edge may belong to a sample of the person, so exclude its neighbours too.
      unsafe kernels.minimumRow(
        matte.row(max(y - 1, 0)), matte.row(min(y + 1, height - 1)), weights, width)
      unsafe kernels.minimumRow(weights, matte.row(y), weights, width)
      unsafe kernels.pastWeights(
        frame.luma.row(y), weights, past.row(y), noise, Self.maxWeight, line + 1, width)
      if y % 2 == 0 {
        unsafe kernels.pastWeights(
          frame.chroma.row(y / 2), weights, pastChroma.row(y / 2), chromaNoise, Self.maxWeight,
          chromaLine, width)
      }
      // A pair of chroma is as wide as two samples of luma. So the neighbours contain both of it.
      unsafe kernels.minimumRow(line + 1, chromaLine, line + 1, width)
      unsafe line[0] = line[1]
      unsafe line[width + 1] = line[width]
      unsafe kernels.minimumRow(line, line + 1, weights, width)
      unsafe kernels.minimumRow(weights, line + 2, weights, width)
      unsafe weights[width] = weights[width - 1]
      var (first, end) = (0, width)
      let bytes = UnsafeRawPointer(weights)
      while end - first >= 8,
        unsafe bytes.loadUnaligned(fromByteOffset: first, as: UInt64.self) == 0
      { first += 8 }
      while end - first >= 8,
        unsafe bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == 0
      { end -= 8 }
      while first < end, unsafe weights[first] == 0 { first += 1 }
      while first < end, unsafe weights[end - 1] == 0 { end -= 1 }
      pictures.spans[y] = first..<end
    }
  }

  /// Returns the difference due to noise, in units of 1/256.
  private func noise(of row: Plane, _ past: Raster<UInt16>) -> UInt16 {
    var counts = InlineArray<256, Int>(repeating: 0)
    var total = 0
    let step = max(Int((Double(past.width * past.height) / Double(Self.samples)).squareRoot()), 1)
    for y in stride(from: step / 2, to: past.height, by: step) {
      let (samples, means) = unsafe (row.row(y), past.row(y))
      for x in stride(from: step / 2, to: past.width, by: step) {
        guard unsafe means[x] != 0 else { continue }
        counts[unsafe min(abs(Int(samples[x]) * 256 - Int(means[x])) / 16, 255)] += 1
        total += 1
      }
    }
    var (quartile, seen) = (0, counts[0])
    while seen < total / 4 {
      quartile += 1
      seen += counts[quartile]
    }
    let noise = Self.noiseFactor * quartile * 16
    return UInt16(
      min(max(noise, 256 * Self.noiseRange.lowerBound), 256 * Self.noiseRange.upperBound))
  }

  package func perform(band: Int) {
    guard let (frame, curve, pictures) = work else { return }
    var enlarged = -1
    let width = 2 * format.chromaWidth
    let (own, new) = unsafe (pictures.rows[band].weights.base, pictures.rows[band].new.base)
    /// Blends a row with the earlier one in `out`, after `brighten` has made parts of it.
    func average(
      _ y: Int, _ out: UnsafeMutablePointer<UInt8>, _ count: Int,
      _ brighten: (_ part: Range<Int>, _ out: UnsafeMutablePointer<UInt8>) -> Void
    ) {
      let row = y >> shift
      let span = pictures.spans[row]
      let margin = (1 << shift) >> 1
      // Even, because a part of chroma consists of pairs.
      let begin = span.isEmpty ? 0 : max(span.lowerBound << shift - margin, 0) & ~1
      let end = span.isEmpty ? 0 : min((span.upperBound << shift + margin + 1) & ~1, count)
      unsafe brighten(0..<begin, out)
      unsafe brighten(begin..<end, new)
      unsafe brighten(end..<count, out)
      if begin == end { return }
      var weights = unsafe pictures.weights.row(row)
      if shift > 0 {
        if enlarged != row { unsafe kernels.enlargeRow(weights, shift, own, width) }
        enlarged = row
        unsafe weights = own
      }
      unsafe kernels.blendRow(
        out + begin, new + begin, weights + begin, weights + begin, 0, end - begin)
    }
    func luma(_ y: Int) {
      let row = unsafe frame.luma.row(y)
      unsafe average(y, pictures.luma.row(y), format.width) { part, out in
        unsafe kernels.brightenRow(
          row + part.lowerBound, curve, out + part.lowerBound, part.count)
      }
    }
    for y in bands.rows(of: format.chromaHeight, in: band) {
      luma(2 * y)
      let bottom = min(2 * y + 1, format.height - 1)
      let (row, above, below) = unsafe (
        frame.chroma.row(y), frame.luma.row(2 * y), frame.luma.row(bottom)
      )
      unsafe average(2 * y, pictures.chroma.row(y), width) { part, out in
        let first = part.lowerBound
        unsafe kernels.brightenPairs(
          row + first, above + first, below + first, curve, out + first, part.count / 2)
      }
      if bottom > 2 * y { luma(bottom) }
    }
  }
}
