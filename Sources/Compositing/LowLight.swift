import Glibc
import Matting
import PixelTypes
import Processor

/// Brightens dark frames, and averages noise in areas of the person without motion.
///
/// The result is a copy of the frame. Averaging uses only samples that were inside the person in
/// all averaged frames, so pixels of the room in earlier frames never get into a frame. Well-lit
/// frames are not changed. Memory is allocated for the first dark frame. Not thread-safe.
package final class LowLight: BandedWork {
  /// Added to the means, 0 to 1, so that noise in a black frame does not count as a change.
  private static let blackLevel = 0.02
  /// The minimum amount of the curve, because a smaller one changes no sample by more than 3 code
  /// values.
  private static let minAmount = 0.014
  /// The change of the amount from which frames of the old brightness are not averaged.
  ///
  /// It changes dark samples by up to 16 %.
  private static let maxAmountChange = 0.05
  /// The maximum weight of earlier frames, of 255.
  ///
  /// It divides the deviation of noise by 2.6.
  private static let maxWeight: UInt8 = 191
  /// The ratio of the noise to the lower quartile of the differences between reduced samples.
  ///
  /// For Gaussian noise, this is two standard deviations. With three, a moving collar was smeared.
  private static let noiseFactor = 6
  /// The limits of the noise, in units of 1/256.
  private static let noiseRange = 256...256 * noiseFactor
  /// The number of rows by which the frame and the earlier one are prefetched.
  private static let readAhead = 6

  private let format: FrameFormat
  /// The logarithm of the ratio of frames and their reduced pictures.
  private let shift: Int
  private let bands: Bands
  private let job = BandedJob()
  private let meter: LowLightCurve
  private var clock = MatteClock()
  /// The mean brightness of the last frame and the amount of its curve, both 0 to 1.
  private var light: (mean: Double, amount: Double)?
  private var pictures: Pictures?
  private var work: (frame: Frame, curve: LightCurve, pictures: Pictures)?

  /// The memory for dark frames.
  private final class Pictures {
    let luma: Raster<UInt8>, chroma: Raster<UInt8>
    let reducedLuma: Raster<UInt8>, reducedChroma: Raster<UInt8>
    /// The means of the reduced samples before the curve, as for `pastWeights`.
    let past: Raster<UInt16>, pastChroma: Raster<UInt16>
    /// The weights of earlier frames per reduced sample.
    let weights: Raster<UInt8>
    /// The columns of the frame that are brightened, per row of reduced samples.
    var spans: [Range<Int>]
    /// Memory for rows of reduced samples: one with a margin of one sample, and one of chroma.
    let line: Raster<UInt8>, chromaLine: Raster<UInt8>
    /// For each band, a row of weights and a row of new samples.
    let rows: [Raster<UInt8>]
    var amount = 0.0

    init(_ format: FrameFormat, reduced: Frame, bands: Bands) {
      func raster(_ width: Int, _ height: Int) -> Raster<UInt8> {
        Raster(width: width, height: height, filledWith: 0)
      }
      let (width, height) = (reduced.luma.width, reduced.luma.height)
      let rowWidth = 2 * format.chromaWidth
      luma = raster(format.width, format.height)
      chroma = raster(rowWidth, format.chromaHeight)
      reducedLuma = raster(width, height)
      reducedChroma = raster(reduced.chroma.width, reduced.chroma.height)
      past = Raster(width: width, height: height, filledWith: 0)
      pastChroma = Raster(width: width, height: reduced.chroma.height, filledWith: 0)
      weights = raster(width + 1, height)
      spans = Array(repeating: 0..<0, count: height)
      line = raster(width + 2, 1)
      chromaLine = raster(width, 1)
      rows = (0..<bands.count).map { _ in raster(rowWidth, 2) }
    }

    /// Discards the means of earlier frames.
    func forget() {
      past.fill(with: 0)
      pastChroma.fill(with: 0)
    }
  }

  /// Creates a treatment for frames of `format` that are reduced by `1 << shift`.
  package init(format: FrameFormat, shift: Int, bands: Bands) {
    (self.format, self.shift, self.bands) = (format, shift, bands)
    meter = LowLightCurve(format.colorimetry)
  }

  /// Returns brightened copies of a frame at `time` nanoseconds and of its reduced picture, or nil
  /// for a well-lit frame.
  ///
  /// `strength` is 0 to 1. `matte` has a sample for each one of `reduced`. The copy of the frame is
  /// valid where the matte shows the person, or everywhere if `showsRoom` is true. The copies are
  /// valid until the next call.
  package func treat(
    _ frame: Frame, reduced: Frame, matte: Matte, strength: Double, showsRoom: Bool,
    at time: UInt64
  ) -> (frame: Frame, reduced: Frame)? {
    let isNewScene = adapt(to: reduced, matte.samples, after: clock.advance(to: time))
    let amount = strength * (light?.amount ?? 0)
    guard amount >= Self.minAmount else {
      // At the border of darkness, freeing the memory would allocate it again and again.
      pictures?.forget()
      return nil
    }
    let curve = LightCurve(brighteningBy: amount, format.colorimetry)
    let pictures = pictures ?? Pictures(format, reduced: reduced, bands: bands)
    self.pictures = pictures
    if isNewScene || abs(amount - pictures.amount) > Self.maxAmountChange {
      pictures.forget()
    }
    pictures.amount = amount
    prepareRows(reduced, matte.samples, showsRoom, pictures)
    work = (frame, curve, pictures)
    job.perform(self, bands)
    work = nil
    let small = Frame(luma: pictures.reducedLuma.plane, chroma: pictures.reducedChroma.plane)
    let (columns, pairs) = (0..<small.luma.width, 0..<small.chroma.width)
    for y in 0..<small.luma.height {
      unsafe brighten(reduced, y, columns, curve, into: small.luma.row(y))
    }
    for y in 0..<small.chroma.height {
      unsafe brightenChroma(reduced, y, pairs, curve, into: small.chroma.row(y))
    }
    return (Frame(luma: pictures.luma.plane, chroma: pictures.chroma.plane), small)
  }

  /// Follows the brightness of the frames, and returns whether this one shows another scene.
  private func adapt(to frame: Frame, _ matte: Raster<UInt8>, after ticks: Int) -> Bool {
    let wanted = meter.measure(frame, matte)
    // A phone or a sheet of paper that appears changes the mean of a dark room by less.
    guard let last = light,
      abs(log((wanted.mean + Self.blackLevel) / (last.mean + Self.blackLevel)))
        < LowLightCurve.maxGradualChange
    else {
      light = wanted
      return true
    }
    let share = 1 - exp(-Double(ticks) / LowLightCurve.adaptation)
    light = (wanted.mean, last.amount + share * (wanted.amount - last.amount))
    return false
  }

  /// Finds the columns to brighten, and the weights of earlier frames.
  ///
  /// The weights are 0 outside of the person and where anything moves.
  private func prepareRows(
    _ frame: Frame, _ matte: Raster<UInt8>, _ showsRoom: Bool, _ pictures: Pictures
  ) {
    let (past, pastChroma) = (pictures.past, pictures.pastChroma)
    let (noise, chromaNoise) = (noise(of: frame.luma, past), noise(of: frame.chroma, pastChroma))
    let (width, height) = (past.width, past.height)
    let (line, chromaLine) = unsafe (pictures.line.base, pictures.chromaLine.base)
    for y in 0..<height {
      let (above, below) = unsafe (matte.row(max(y - 1, 0)), matte.row(min(y + 1, height - 1)))
      let weights = unsafe pictures.weights.row(y)
      unsafe kernels.maximumRow(above, below, weights, width)
      unsafe kernels.maximumRow(weights, matte.row(y), weights, width)
      let person = unsafe UnsafePointer(weights).samples(withAnyOf: 255, count: width)
      let columns = showsRoom ? 0..<width : person
      pictures.spans[y] =
        columns.isEmpty
        ? 0..<0 : max(columns.lowerBound - 1, 0) << shift..<(columns.upperBound + 1) << shift
      // A pixel of the edge may belong to a sample of the person, so exclude its neighbours too.
      unsafe kernels.minimumRow(above, below, weights, width)
      unsafe kernels.minimumRow(weights, matte.row(y), weights, width)
      unsafe kernels.pastWeights(
        frame.luma.row(y), weights, past.row(y), noise, Self.maxWeight, line + 1, width)
      if y % 2 == 0 {
        unsafe kernels.pastWeights(
          frame.chroma.row(y / 2), weights, pastChroma.row(y / 2), chromaNoise, Self.maxWeight,
          chromaLine, width)
      }
      // A chroma pair spans two luma samples, so use the minimum with both neighbours.
      unsafe kernels.minimumRow(line + 1, chromaLine, line + 1, width)
      unsafe line[0] = line[1]
      unsafe line[width + 1] = line[width]
      unsafe kernels.minimumRow(line, line + 1, weights, width)
      unsafe kernels.minimumRow(weights, line + 2, weights, width)
      unsafe weights[width] = weights[width - 1]
    }
  }

  /// Returns the difference between a reduced plane and `past` that noise makes, in units of 1/256.
  private func noise(of plane: Plane, _ past: Raster<UInt16>) -> UInt16 {
    var counts = InlineArray<256, Int>(repeating: 0)
    // A few thousand samples are enough.
    let step = max(past.width / 80, 1)
    for y in stride(from: 0, to: past.height, by: step) {
      for x in stride(from: 0, to: past.width, by: step) where unsafe past.row(y)[x] != 0 {
        let difference = unsafe Int(plane.row(y)[x]) * 256 - Int(past.row(y)[x])
        counts[min(abs(difference) / 16, 255)] += 1
      }
    }
    let total = counts.indices.reduce(0) { $0 + counts[$1] }
    var (quartile, seen) = (0, counts[0])
    while seen < total / 4 {
      quartile += 1
      seen += counts[quartile]
    }
    let noise = Self.noiseFactor * 16 * quartile
    return UInt16(min(max(noise, Self.noiseRange.lowerBound), Self.noiseRange.upperBound))
  }

  package func perform(band: Int) {
    guard let (frame, curve, pictures) = work else { return }
    let width = 2 * format.chromaWidth
    let (own, new) = unsafe (pictures.rows[band].row(0), pictures.rows[band].row(1))
    var (row, weights) = unsafe (-1, own)
    func average(_ out: UnsafeMutablePointer<UInt8>, _ part: Range<Int>) {
      let (begin, weights) = unsafe (part.lowerBound, weights + part.lowerBound)
      unsafe kernels.blendRow(out + begin, new, RowBetween(whole: weights), part.count)
    }
    let (luma, chroma) = (pictures.luma.plane, pictures.chroma.plane)
    let rows = bands.rows(of: format.chromaHeight, in: band)
    for y in 2 * rows.lowerBound..<min(2 * rows.upperBound, format.height) {
      // Without this prefetch, a 1080p frame takes 1.5 times as long.
      frame.luma.prefetch(row: y + Self.readAhead)
      luma.prefetch(row: y + Self.readAhead)
      frame.chroma.prefetch(row: (y + Self.readAhead) / 2)
      chroma.prefetch(row: (y + Self.readAhead) / 2)
      if y >> shift != row {
        row = y >> shift
        unsafe weights = shift > 0 ? own : pictures.weights.row(row)
        if shift > 0 { unsafe kernels.enlargeRow(pictures.weights.row(row), shift, own, width) }
      }
      let (span, last) = (pictures.spans[row], AlphaRows.grain - 1)
      let part = (span.lowerBound & ~last..<(span.upperBound + last) & ~last)
        .clamped(to: 0..<width)
      let lumaPart = part.clamped(to: 0..<format.width)
      unsafe brighten(frame, y, lumaPart, curve, into: new)
      unsafe average(luma.row(y), lumaPart)
      if y % 2 == 0 {
        unsafe brightenChroma(frame, y / 2, part, curve, into: new)
        unsafe average(chroma.row(y / 2), part)
      }
    }
  }

  private func brighten(
    _ frame: Frame, _ y: Int, _ part: Range<Int>, _ curve: LightCurve,
    into out: UnsafeMutablePointer<UInt8>
  ) {
    unsafe kernels.brightenRow(frame.luma.row(y) + part.lowerBound, curve, out, part.count)
  }

  private func brightenChroma(
    _ frame: Frame, _ y: Int, _ part: Range<Int>, _ curve: LightCurve,
    into out: UnsafeMutablePointer<UInt8>
  ) {
    let first = part.lowerBound
    let bottom = min(2 * y + 1, frame.luma.height - 1)
    unsafe kernels.brightenPairs(
      frame.chroma.row(y) + first, frame.luma.row(2 * y) + first, frame.luma.row(bottom) + first,
      curve, out, part.count / 2)
  }
}
