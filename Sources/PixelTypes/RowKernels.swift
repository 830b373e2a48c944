/// The row kernels of one instruction set.
///
/// The module PixelKernels implements this protocol. Callers use `any RowKernels.Type`, a table
/// that is selected for the processor's instruction set.
///
/// Rows:
/// - A row is specified by its first sample and a count, which must not be negative.
/// - Rows need no alignment beyond the alignment of their samples.
/// - An output row may share memory with an input row only if the kernel's comment allows it.
/// - Kernels access only the samples that their comments specify.
///
/// Arithmetic:
/// - Integer arithmetic is exact and rounds to nearest, halves up, unless a kernel's comment
///   differs.
/// - Float arithmetic follows the order in the comment, with each operation rounded separately.
///   All instruction sets return the same bits.
/// - Floats that become bytes are rounded to nearest, halves to even.
/// - Floats never trap. A NaN that becomes a byte gives 0, unless a kernel's comment differs.
public protocol RowKernels {
  // Samples that a kernel reads.
  typealias Bytes = UnsafePointer<UInt8>
  typealias Words = UnsafePointer<UInt16>
  typealias Floats = UnsafePointer<Float>
  // Samples that a kernel writes.
  typealias MutableBytes = UnsafeMutablePointer<UInt8>
  typealias MutableWords = UnsafeMutablePointer<UInt16>
  typealias MutableFloats = UnsafeMutablePointer<Float>

  /// `sums[i] = a[i] + b[i]`. Rows may be the same.
  static func sumTwoRows(_ sums: MutableWords, _ a: Bytes, _ b: Bytes, _ count: Int)

  /// `sums[i] = a[i] + b[i] + c[i] + d[i]`. Rows may be the same.
  static func sumFourRows(
    _ sums: MutableWords, _ a: Bytes, _ b: Bytes, _ c: Bytes, _ d: Bytes, _ count: Int
  )

  /// `sums[i] += a[i] + b[i] + c[i] + d[i]`, modulo 65536. Rows may be the same.
  static func addFourRows(
    _ sums: MutableWords, _ a: Bytes, _ b: Bytes, _ c: Bytes, _ d: Bytes, _ count: Int
  )

  /// Averages blocks of summed columns.
  ///
  /// `out[i] = mean of sums[i*k ..< i*k+k] / k`, for `k = 1 << shift` columns of `k` summed rows,
  /// shift 1 to 4. `columns` is the number of valid sums. The last block repeats its last column if
  /// the width is not a multiple of `k`. Writes `ceil(columns / k)` bytes.
  static func averageColumns(_ sums: Words, _ columns: Int, _ shift: Int, _ out: MutableBytes)

  /// `averageColumns` for interleaved pairs (Cb, Cr): `columns` counts pairs.
  static func averageColumnPairs(_ sums: Words, _ columns: Int, _ shift: Int, _ out: MutableBytes)

  /// Sums rows that are `stride` bytes apart, with weights.
  ///
  /// `sums[i] = sum over t in 0..<taps of weights[t] * Float(row[t*stride + i])`, added in the
  /// order of t. `taps` is at least 1.
  static func sumWeightedRows(
    _ row: Bytes, _ stride: Int, _ weights: Floats, _ taps: Int, _ sums: MutableFloats, _ count: Int
  )

  /// `sums[i] += weight * row[i]`.
  static func accumulate(_ sums: MutableFloats, _ row: Floats, _ weight: Float, _ count: Int)

  /// Sums neighbouring columns with weights.
  ///
  /// For `i` in `0..<count`, with `t` running over `taps`,
  /// `out[i] = sum of weights[i*taps + t] * row[starts[i] + t]`, added in the order of t.
  /// Fast if the number of taps is a multiple of four.
  static func filterColumns(
    _ row: Floats, _ starts: UnsafePointer<Int32>, _ weights: Floats, _ taps: Int,
    _ out: MutableFloats, _ count: Int
  )

  /// `filterColumns` for interleaved pairs (Cb, Cr), which are deinterleaved.
  ///
  /// `starts` and `count` count pairs. The first of a pair goes to `first` and the second to
  /// `second`. Fast for two taps.
  static func filterColumnPairs(
    _ row: Floats, _ starts: UnsafePointer<Int32>, _ weights: Floats, _ taps: Int,
    _ first: MutableFloats, _ second: MutableFloats, _ count: Int
  )

  /// Converts YCbCr to RGB.
  ///
  /// With `y = luma[i]`, `b = cb[i] - 128`, `r = cr[i] - 128` and the coefficients c:
  ///
  /// - `red = clamp(c.red.luma*y + c.red.offset + c.redFromCr*r)`
  /// - `green = clamp(c.green.luma*y + c.green.offset + c.greenFromCb*b + c.greenFromCr*r)`
  /// - `blue = clamp(c.blue.luma*y + c.blue.offset + c.blueFromCb*b)`
  ///
  /// Each is clamped to its channel's `low ... high`.
  ///
  /// Sample `i` goes to `red[i*step]`, `green[i*step]`, `blue[i*step]`. NaN becomes the
  /// channel's `low`. The outputs may interleave. Fast for step 1, and for step 3 if green and blue
  /// follow red.
  static func convertToRGB(
    _ luma: Floats, _ cb: Floats, _ cr: Floats, _ coefficients: RGBCoefficients,
    _ red: MutableFloats, _ green: MutableFloats, _ blue: MutableFloats, _ step: Int, _ count: Int
  )

  /// Converts floats of 0 to 1 to bytes: `out[i] = clamp(round(255 * row[i]))`.
  ///
  /// NaN becomes 0.
  static func quantize(_ row: Floats, _ out: MutableBytes, _ count: Int)

  /// Moves `smoothed` towards the new `matte`, and writes the result to `matte` in bytes.
  ///
  /// All values are 0 to 255. With `d = matte[i] - smoothed[i]`, `m = motion[i] / 255`,
  /// `a = matte[i] / 255` and `u = 4 * a * (1 - a)`, which is 1 for the least certain alpha:
  ///
  /// - `share = minShare + (1 - minShare) * max(abs(d) / 255, m)`
  /// - `smoothed[i] += d * share * (1 - uncertaintyDamping * u * (1 - m))`
  /// - `matte[i] = round(smoothed[i])`
  static func smooth(
    _ smoothed: MutableFloats, _ matte: MutableBytes, _ motion: Bytes, _ minShare: Float,
    _ uncertaintyDamping: Float, _ count: Int
  )

  /// `out[i] = abs(a[i] - b[i])`. `out` may be `a` or `b`.
  static func differRow(_ a: Bytes, _ b: Bytes, _ out: MutableBytes, _ count: Int)

  /// Returns the sum of `abs(a - b)` over two blocks of 8 by 8 samples.
  ///
  /// The rows of the blocks are `aStride` and `bStride` samples apart.
  static func blockDistance(_ a: Bytes, _ aStride: Int, _ b: Bytes, _ bStride: Int) -> Int

  /// Applies a joint bilateral filter of 5 by 5 samples, guided by colours, to a row of the matte.
  ///
  /// Row `r` in -2...2 of each plane begins `rows[r + 2]` samples after the plane's pointer. Two
  /// more samples are readable before and after each row.
  ///
  /// Let `d` be the squared distance of the colours of sample `i` of row 0 and sample `i + c` of
  /// row `r`: `y*y + 3*(b*b + v*v)` for the differences of luma, Cb and Cr. Then:
  ///
  /// - `w = spatial[5*(r + 2) + c + 2] * max(0, 1 - reach*d)^2`
  /// - `mean` is the mean of the alphas weighted by `w`, added in the order of r and c.
  /// - `out[i] = clamp(round((mean - 127.5) * contrast + 127.5))`
  ///
  /// NaN becomes 0. `sums` and `weights` are memory of `count` floats each.
  static func refineRow(
    _ planes: MattePlanes, _ rows: UnsafePointer<Int>, _ spatial: Floats, _ reach: Float,
    _ contrast: Float, _ sums: MutableFloats, _ weights: MutableFloats, _ out: MutableBytes,
    _ count: Int
  )

  /// `row[i] = clamp(round((row[i] - 127.5) * contrast + 127.5))`.
  static func contrastRow(_ row: MutableBytes, _ contrast: Float, _ count: Int)

  /// Interpolates between neighbouring samples of a row.
  ///
  /// With `s = row[positions[i]]`, `t = row[positions[i] + 1]` and `w = weights[i]` in 0 to 255,
  /// `out[i] = (s * (256 - w) + t * w + 128) >> 8`. If w is 0, the second sample is read but does
  /// not count. This costs several times as much as `mixRows`. To scale a plane, expand each of its
  /// rows once and mix the expanded rows. Do not expand each mixed row.
  static func expandRow(
    _ row: Bytes, _ positions: Words, _ weights: Bytes, _ out: MutableBytes, _ count: Int
  )

  /// `expandRow` for interleaved pairs (Cb, Cr): `positions`, `weights` and `count` count pairs.
  static func expandPairs(
    _ row: Bytes, _ positions: Words, _ weights: Bytes, _ out: MutableBytes, _ count: Int
  )

  /// Enlarges a row by `k = 1 << shift`, shift 1 to 8, and interpolates.
  ///
  /// Sample s is in the middle of the outputs `s*k ..< s*k + k`. With `j = i + k/2`,
  /// `s = row[j/k - 1]`, `t = row[j/k]` and `w = ((2 * (j % k) + 1) * 128) >> shift`,
  /// `out[i] = (s * (256 - w) + t * w + 128) >> 8`.
  /// The row has `ceil(count / k)` samples. Its first and last samples repeat beyond its ends.
  static func enlargeRow(_ row: Bytes, _ shift: Int, _ out: MutableBytes, _ count: Int)

  /// `enlargeRow` for interleaved pairs (Cb, Cr): `count` counts pairs.
  static func enlargePairs(_ row: Bytes, _ shift: Int, _ out: MutableBytes, _ count: Int)

  /// Averages neighbours, for the alpha of chroma.
  ///
  /// `out[2*i] = out[2*i + 1] = (row[2*i] + row[2*i + 1] + 1) >> 1`, for `count` pairs.
  static func averagePairs(_ row: Bytes, _ out: MutableBytes, _ count: Int)

  /// Interpolates between two rows.
  ///
  /// `out[i] = (top[i] * (256 - weight) + bottom[i] * weight + 128) >> 8`. `out` may be one of the
  /// rows.
  static func mixRows(_ rows: RowBetween, _ out: MutableBytes, _ count: Int)

  /// Blends the frame's row over a background, with `alpha` mixed as in `mixRows`.
  ///
  /// `row[i] = round((row[i] * alpha + background[i] * (255 - alpha)) / 255)`, exactly.
  static func blendRow(
    _ row: MutableBytes, _ background: Bytes, _ alpha: RowBetween, _ count: Int
  )

  /// Removes the real background's colour (`room`) from a row that mixes person and background.
  ///
  /// `person`, `room` and `alpha` are mixed as in `mixRows`. The background's part of the sample is
  /// `share = round(abs(person - room) * (255 - alpha) / 255)`.
  /// If `room` and `row[i]` are both above or both below `person`, `row[i]` moves towards `person`
  /// by `share`, but not past it. Otherwise `row[i]` does not change.
  static func despillRow(
    _ row: MutableBytes, _ person: RowBetween, _ room: RowBetween, _ alpha: RowBetween, _ count: Int
  )

  /// Replaces a row by the person's colour at samples that are more background than person.
  ///
  /// With `person` and `alpha` mixed as in `mixRows`, and `share = clamp(4 * (alpha - 127))`,
  /// clamped to `0 ... 255`, `row[i] = round((row[i] * share + person * (255 - share)) / 255)`,
  /// exactly. The result is `person` below half alpha, and the unchanged `row[i]` from three
  /// quarters on.
  static func fadeRow(_ row: MutableBytes, _ person: RowBetween, _ alpha: RowBetween, _ count: Int)

  /// Adds light to a row, clamped to `low ... high`.
  ///
  /// With `light` mixed as in `mixRows`, `row[i] = clamp(row[i] + light - 128)`. A light of 128
  /// adds nothing.
  static func addLight(
    _ row: MutableBytes, _ light: RowBetween, _ low: UInt8, _ high: UInt8, _ count: Int
  )

  /// `out[i] = max(a[i], b[i])`. `out` may be `a` or `b`.
  static func maximumRow(_ a: Bytes, _ b: Bytes, _ out: MutableBytes, _ count: Int)

  /// `out[i] = min(a[i], b[i])`. `out` may be `a` or `b`.
  static func minimumRow(_ a: Bytes, _ b: Bytes, _ out: MutableBytes, _ count: Int)

  /// Computes the background's weight per sample: `out[i] = max(1 - slope * Float(row[i]), least)`.
  static func roomWeights(
    _ row: Bytes, _ slope: Float, _ least: Float, _ out: MutableFloats, _ count: Int
  )

  /// Weights samples for a blur that excludes the person.
  ///
  /// `out[i] = weights[i / repeats] * Float(row[i])`. `repeats` is 1, or 2 for interleaved pairs
  /// with one weight per pair and an even `count`.
  static func weighRow(
    _ row: Bytes, _ weights: Floats, _ repeats: Int, _ out: MutableFloats, _ count: Int
  )

  /// Divides by the weights of `weighRow`: `out[i] = clamp(round(sums[i] / weights[i / repeats]))`.
  ///
  /// A weight may be 0: 0 / 0 gives 0, as for any NaN, and x / 0 gives 255 for x above 0.
  static func unweighRow(
    _ sums: Floats, _ weights: Floats, _ repeats: Int, _ out: MutableBytes, _ count: Int
  )

  /// Applies a symmetric filter along a row.
  ///
  /// `out[i] = taps[0] * row[i] +
  /// sum over t in 1..<tapCount of taps[t] * (row[i - t*step] + row[i + t*step])`,
  /// added in the order of t. `tapCount` is at least 1. `row` has `(tapCount - 1) * step` readable
  /// samples before its first and after its last sample.
  static func convolveRow(
    _ row: Floats, _ step: Int, _ taps: Floats, _ tapCount: Int, _ out: MutableFloats, _ count: Int
  )

  /// Converts a row of YCbCr to linear light of one colour, 0 to 1.
  ///
  /// With the factors f, `x = f.offset + f.first*luma[i] + f.second*cb[i] + f.third*cr[i]`, added
  /// in this order and clamped to 0 to 1. Then `t = x * (0.045 + 0.955*x)` and `out[i] = t *
  /// (0.7475 + 0.2525*t)`.
  static func lightRow(
    _ luma: Bytes, _ cb: Bytes, _ cr: Bytes, _ factors: ColorFactors, _ out: MutableFloats,
    _ count: Int
  )

  /// Divides linear light by weights and encodes it as 0 to 1, which inverts `lightRow`.
  ///
  /// The quotient is clamped to 0 to 1. NaN becomes 0. The error is at most 1e-4.
  static func encodeLight(_ sums: Floats, _ weights: Floats, _ out: MutableFloats, _ count: Int)

  /// Converts red, green and blue to a code value.
  ///
  /// `out[i] = clamp(round(f.offset + f.first*red[i] + f.second*green[i] + f.third*blue[i]))`,
  /// added in this order. NaN becomes 0.
  static func codeRow(
    _ red: Floats, _ green: Floats, _ blue: Floats, _ factors: ColorFactors, _ out: MutableBytes,
    _ count: Int
  )

  /// `row[i] *= weights[i]`.
  static func scaleRow(_ row: MutableFloats, _ weights: Floats, _ count: Int)

  /// Sums a disc around each sample of a row.
  ///
  /// Let `column(i, n)` be `row[i]` plus, for t in 1...n in this order,
  /// `row[i - t*stride] + row[i + t*stride]`. For d from `reach` down to 0, with `n = lengths[d]`
  /// and the pairs `tip(i) = row[i - (n + 1)*stride] + row[i + (n + 1)*stride]`:
  /// `out[i] += shares[d] * ((column(i - d, n) + column(i + d, n))
  /// + tips[d] * (tip(i - d) + tip(i + d)))`
  ///
  /// `lengths` must not increase with d, and its last value is at least 0. `row` has
  /// `(lengths[0] + 1) * stride + reach` readable samples on both sides. `column` is memory of
  /// `count + 2*reach` samples.
  static func sumDisc(
    _ row: Floats, _ stride: Int, _ lengths: UnsafePointer<Int32>, _ tips: Floats, _ shares: Floats,
    _ reach: Int, _ column: MutableFloats, _ out: MutableFloats, _ count: Int
  )

  /// `out[2*i] = first[i]`, `out[2*i + 1] = second[i]`.
  static func interleaveRows(_ first: Bytes, _ second: Bytes, _ out: MutableBytes, _ count: Int)

  /// `first[i] = row[2*i]`, `second[i] = row[2*i + 1]`.
  static func deinterleaveRow(
    _ row: Bytes, _ first: MutableBytes, _ second: MutableBytes, _ count: Int
  )

  /// Swaps pairs: `out[2*i] = row[2*i + 1]`, `out[2*i + 1] = row[2*i]`, for `count` pairs.
  static func swapPairs(_ row: Bytes, _ out: MutableBytes, _ count: Int)

  /// Converts 16-bit samples in little-endian words to 8 bits.
  ///
  /// With `w = row[2*i] + 256 * row[2*i + 1]`, `out[i] = min((w + 128) >> 8, 255)`.
  static func narrowRow(_ row: Bytes, _ out: MutableBytes, _ count: Int)

  /// Converts 8-bit samples to the upper bits of 16-bit little-endian words.
  ///
  /// `out[2*i] = 0`, `out[2*i + 1] = row[i]`. Code values of limited range keep their meaning:
  /// n-bit values are 8-bit values times 2^(n - 8) (Recommendation ITU-R BT.709, 4.6).
  static func widenRow(_ row: Bytes, _ out: MutableBytes, _ count: Int)

  /// Sets `row[i] = value` if `alpha[i]` is 0.
  static func clearRow(_ row: MutableBytes, _ alpha: Bytes, _ value: UInt8, _ count: Int)

  /// Clears chroma pairs without visible luma.
  ///
  /// Sets `row[2*i] = row[2*i + 1] = value` if samples `2*i` and `2*i + 1` of both `top` and
  /// `bottom` are 0. `count` is the number of pairs.
  static func clearPairs(
    _ row: MutableBytes, _ top: Bytes, _ bottom: Bytes, _ value: UInt8, _ count: Int
  )

  /// `out[i] = clamp((factor * (row[i] - low) + 32768) >> 16)`, with a factor of 0 to 2^22.
  static func stretchRow(
    _ row: Bytes, _ low: UInt8, _ factor: Int32, _ out: MutableBytes, _ count: Int
  )

  /// Converts YCbCr and alpha to pixels of four bytes in RGB.
  ///
  /// With `y = luma[i]`, `b = chroma[2*i]` and `r = chroma[2*i + 1]`:
  ///
  /// - `red = clamp((c.luma * y + c.redFromCr * r + c.redOffset) >> 16)`
  /// - `green = clamp((c.luma * y + c.greenFromCb * b + c.greenFromCr * r + c.greenOffset) >> 16)`
  /// - `blue = clamp((c.luma * y + c.blueFromCb * b + c.blueOffset) >> 16)`
  ///
  /// If `alpha[i]` is 0, all four bytes are 0.
  static func packRGB(
    _ luma: Bytes, _ chroma: Bytes, _ alpha: Bytes, _ coefficients: FixedRGBCoefficients,
    _ order: PixelByteOrder, _ out: MutableBytes, _ count: Int
  )

  /// Converts YCbCr and alpha to pixels of four bytes in AYUV.
  ///
  /// The bytes are `alpha[i]`, `luma[i]`, `chroma[2*i]`, `chroma[2*i + 1]`. If `alpha[i]` is 0, the
  /// others are `black`, 128 and 128.
  static func packYUV(
    _ luma: Bytes, _ chroma: Bytes, _ alpha: Bytes, _ black: UInt8, _ out: MutableBytes,
    _ count: Int
  )

  /// Applies a light curve to a row of luma.
  ///
  /// With `x = 128 * (row[i] - curve.low)`, `gain = curve.gain + ((curve.slope * x) >> 16)` and
  /// `y = (((gain * x) >> 16) + 8) >> 4`, `row[i] = min(curve.low + y, 255)`. Samples up to
  /// `curve.low` do not change.
  static func relightRow(_ row: MutableBytes, _ curve: LightCurve, _ count: Int)

  /// Applies a light curve to interleaved pairs (Cb, Cr): `count` counts pairs.
  ///
  /// With the `shift` of the channel, `curve.cb` or `curve.cr`,
  /// `row[i] = clamp(128 + ((curve.saturation * (row[i] - 128) + shift + 64) >> 7))`.
  static func relightPairs(_ row: MutableBytes, _ curve: LightCurve, _ count: Int)

  /// Applies a light curve to luma three times. Rows may be the same.
  ///
  /// With `x = 128 * max(row[i] - curve.low, 0)`, and then three times
  /// `gain = max(curve.gain + ((curve.slope * x) >> 16), 8192)` and `x = ((gain * x) >> 16) << 3`:
  /// `out[i] = curve.low + ((x + 64) >> 7)`. The curve brightens, with a `gain` below 16384.
  static func brightenRow(_ row: Bytes, _ curve: LightCurve, _ out: MutableBytes, _ count: Int)

  /// Brightens pairs (Cb, Cr) by as much as their luma, so that colours keep their saturation.
  ///
  /// With the three gains of `brightenRow` for the rounded mean of `top[2*i]` and `bottom[2*i]`,
  /// the factor in units of 1/4096 is `((((g0 * g1) >> 16) << 2) * g2 >> 16) << 3`. Both chroma
  /// values become `clamp(128 + round((chroma - 128) * factor / 4096))`, where the product is first
  /// rounded down to eighths. `count` counts pairs.
  static func brightenPairs(
    _ row: Bytes, _ top: Bytes, _ bottom: Bytes, _ curve: LightCurve, _ out: MutableBytes,
    _ count: Int
  )

  /// Computes how much of earlier frames may be averaged with a frame.
  ///
  /// `past` is the mean of earlier rows in units of 1/256, or 0 without an earlier row. The weight
  /// `out[i]` falls from `maxWeight`, at a difference of up to `noise` (1/256) between `past` and
  /// the row, to 0 at twice as much. It is 0 if `matte[i]` is not 255, or without an earlier row.
  /// Then `past[i]` becomes the mean with this weight, or 0 if `matte[i]` is not 255.
  /// `noise` is 256 to 16384.
  static func pastWeights(
    _ row: Bytes, _ matte: Bytes, _ past: MutableWords, _ noise: UInt16, _ maxWeight: UInt8,
    _ out: MutableBytes, _ count: Int
  )
}
