/// The row kernels of one instruction set.
///
/// Implemented by PixelKernels, called by the core through `any RowKernels.Type`, which is the table
/// that the instruction set is chosen with. Rows are given by their first sample and a count; they
/// need no alignment beyond that of their samples, and counts are not negative. Output rows may be
/// the same memory as an input row where the kernel's comment says so, and must not overlap
/// otherwise. Nothing beyond the samples that are named is read or written.
///
/// Integer arithmetic is exact and rounds to nearest, halves up, unless a kernel says otherwise.
/// Float arithmetic is done in the order that is written, each operation rounded on its own, so that
/// all instruction sets agree to the bit; floats that become bytes are rounded to nearest, halves to
/// even. No float traps: what not-a-number becomes stands with the kernel.
public protocol RowKernels: LayoutKernels {
  /// `sums[i] = a[i] + b[i]`; rows may be the same.
  static func sumTwoRows(
    _ sums: UnsafeMutablePointer<UInt16>, _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>,
    _ count: Int
  )

  /// `sums[i] = a[i] + b[i] + c[i] + d[i]`; rows may be the same.
  static func sumFourRows(
    _ sums: UnsafeMutablePointer<UInt16>, _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>,
    _ c: UnsafePointer<UInt8>, _ d: UnsafePointer<UInt8>, _ count: Int
  )

  /// `sums[i] += a[i] + b[i] + c[i] + d[i]`, modulo 65536; rows may be the same.
  static func addFourRows(
    _ sums: UnsafeMutablePointer<UInt16>, _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>,
    _ c: UnsafePointer<UInt8>, _ d: UnsafePointer<UInt8>, _ count: Int
  )

  /// Averages blocks of summed columns: `out[i] = mean of sums[i*k ..< i*k+k] / k`, for
  /// `k = 1 << shift` columns of `k` summed rows, shift 1 to 4.
  ///
  /// `columns` is the number of valid sums; the last block repeats its last column when the width
  /// is no multiple of `k`. Writes `ceil(columns / k)` bytes.
  static func averageColumns(
    _ sums: UnsafePointer<UInt16>, _ columns: Int, _ shift: Int,
    _ out: UnsafeMutablePointer<UInt8>
  )

  /// `averageColumns` for interleaved pairs (Cb, Cr): `columns` counts pairs.
  static func averageColumnPairs(
    _ sums: UnsafePointer<UInt16>, _ columns: Int, _ shift: Int,
    _ out: UnsafeMutablePointer<UInt8>
  )

  /// Weighted sum of rows that lie `stride` bytes apart: `sums[i] = sum over t in 0..<taps of
  /// weights[t] * Float(row[t*stride + i])`, added in the order of t; `taps` is at least 1.
  static func sumWeightedRows(
    _ row: UnsafePointer<UInt8>, _ stride: Int, _ weights: UnsafePointer<Float>, _ taps: Int,
    _ sums: UnsafeMutablePointer<Float>, _ count: Int
  )

  /// `sums[i] += weight * row[i]`.
  static func accumulate(
    _ sums: UnsafeMutablePointer<Float>, _ row: UnsafePointer<Float>, _ weight: Float,
    _ count: Int
  )

  /// Weighted sums of neighbouring columns: for `i` in `0..<count`, with `t` running over `taps`,
  /// `out[i] = sum of weights[i*taps + t] * row[starts[i] + t]`, added in the order of t. Fast when
  /// the number of taps is a multiple of four.
  static func filterColumns(
    _ row: UnsafePointer<Float>, _ starts: UnsafePointer<Int32>,
    _ weights: UnsafePointer<Float>, _ taps: Int, _ out: UnsafeMutablePointer<Float>,
    _ count: Int
  )

  /// `filterColumns` for interleaved pairs (Cb, Cr), deinterleaved on the way: `starts` and `count`
  /// count pairs, the first of a pair goes to `first` and the second to `second`. Fast for two taps.
  static func filterColumnPairs(
    _ row: UnsafePointer<Float>, _ starts: UnsafePointer<Int32>,
    _ weights: UnsafePointer<Float>, _ taps: Int, _ first: UnsafeMutablePointer<Float>,
    _ second: UnsafeMutablePointer<Float>, _ count: Int
  )

  /// YCbCr to RGB: with `y = luma[i]`, `b = cb[i] - 128`, `r = cr[i] - 128` and the coefficients c,
  /// `red = clamp(c.red.luma*y + c.red.offset + c.redFromCr*r)`,
  /// `green = clamp(c.green.luma*y + c.green.offset + c.greenFromCb*b + c.greenFromCr*r)`,
  /// `blue = clamp(c.blue.luma*y + c.blue.offset + c.blueFromCb*b)`, each clamped to its channel's
  /// `low ... high`.
  ///
  /// Sample `i` goes to `red[i*step]`, `green[i*step]`, `blue[i*step]`; not-a-number becomes the
  /// channel's `low`. The outputs may interleave. Fast for step 1, and for step 3 where green and blue
  /// follow red.
  static func convertToRGB(
    _ luma: UnsafePointer<Float>, _ cb: UnsafePointer<Float>, _ cr: UnsafePointer<Float>,
    _ coefficients: RGBCoefficients, _ red: UnsafeMutablePointer<Float>,
    _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>, _ step: Int,
    _ count: Int
  )

  /// Floats in 0 to 1 to bytes: `out[i] = clamp(round(255 * row[i]))`; not-a-number becomes 0.
  static func quantize(
    _ row: UnsafePointer<Float>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// Moves the steady matte towards the new one, which then becomes the steady one in bytes.
  ///
  /// All values are 0 to 255. With `d = matte[i] - steady[i]`, `m = motion[i] / 255`, and
  /// `u = 4 * a * (1 - a)` for `a = matte[i] / 255`, which is 1 for the least certain alpha:
  /// `share = leastShare + (1 - leastShare) * max(abs(d) / 255, m)`,
  /// `steady[i] += d * share * (1 - hesitation * u * (1 - m))`, `matte[i] = round(steady[i])`.
  static func steady(
    _ steady: UnsafeMutablePointer<Float>, _ matte: UnsafeMutablePointer<UInt8>,
    _ motion: UnsafePointer<UInt8>, _ leastShare: Float, _ hesitation: Float, _ count: Int
  )

  /// `out[i] = abs(a[i] - b[i])`; `out` may be `a` or `b`.
  static func differRow(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  )

  /// The sum of `abs(a - b)` over two blocks of 8 by 8 samples, whose rows are `aStride` and `bStride`
  /// samples apart.
  static func blockDistance(
    _ a: UnsafePointer<UInt8>, _ aStride: Int, _ b: UnsafePointer<UInt8>, _ bStride: Int
  ) -> Int

  /// The slopes of a block of 8 by 8 samples: `across[8*y + x]` is the sample after `x` less the one
  /// before it, `down` the same of rows; reads one sample around the block.
  ///
  /// `products` is the sum over the block of `across * across`, of `across * down` and of `down * down`.
  static func blockSlopes(
    _ block: UnsafePointer<UInt8>, _ stride: Int, _ across: UnsafeMutablePointer<Int16>,
    _ down: UnsafeMutablePointer<Int16>, _ products: UnsafeMutablePointer<Int32>
  )

  /// Compares a block of 8 by 8 samples with one that lies between the samples of another picture:
  /// `sums` is the sum over the block of `across * difference` and of `down * difference`.
  ///
  /// `across` and `down` are the block's slopes, and `difference` is `(other * 256 + 8) >> 4 - 16 * block`,
  /// where `other * 256` is the bilinear mean of four samples, with weights of `16 - shareAcross` and
  /// `shareAcross`, 0 to 15, for columns and the same of `shareDown` for rows. Reads 9 by 9 samples of
  /// `other`.
  static func blockOffset(
    _ block: UnsafePointer<UInt8>, _ stride: Int, _ other: UnsafePointer<UInt8>, _ otherStride: Int,
    _ shareAcross: Int, _ shareDown: Int, _ across: UnsafePointer<Int16>,
    _ down: UnsafePointer<Int16>, _ sums: UnsafeMutablePointer<Int32>
  )

  /// Joint bilateral filter of a row of the matte, guided by colours, over five rows and five columns.
  ///
  /// The row `r` in -2...2 of each plane begins `rows[r + 2]` samples after the plane's pointer, and
  /// has two readable samples before its first and after its last one. With `d` the squared distance
  /// of the colours of sample `i` of row 0 and sample `i + c` of row `r`, `y*y + 3*(b*b + v*v)` for
  /// the differences of luma, Cb and Cr, and `w = spatial[5*(r + 2) + c + 2] * max(0, 1 - reach*d)^2`,
  /// the mean of the alphas weighted by `w` goes to
  /// `out[i] = clamp(round((mean - 127.5) * contrast + 127.5))`; not-a-number becomes 0. Added in
  /// the order of r and c. `sums` and `weights` are memory of `count` floats each.
  static func refineRow(
    _ planes: MattePlanes, _ rows: UnsafePointer<Int>, _ spatial: UnsafePointer<Float>,
    _ reach: Float, _ contrast: Float, _ sums: UnsafeMutablePointer<Float>,
    _ weights: UnsafeMutablePointer<Float>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// `row[i] = clamp(round((row[i] - 127.5) * contrast + 127.5))`.
  static func contrastRow(
    _ row: UnsafeMutablePointer<UInt8>, _ contrast: Float, _ count: Int
  )

  /// Interpolates between neighbouring samples of a row.
  ///
  /// With `s = row[positions[i]]`, `t = row[positions[i] + 1]` and `w = weights[i]` in 0 to 255,
  /// `out[i] = (s * (256 - w) + t * w + 128) >> 8`. Where w is 0 the second sample is read but does
  /// not count. Costs several times what `mixRows` does, so rows are expanded before they are mixed.
  static func expandRow(
    _ row: UnsafePointer<UInt8>, _ positions: UnsafePointer<UInt16>,
    _ weights: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// `expandRow` for interleaved pairs (Cb, Cr): `positions`, `weights` and `count` count pairs.
  static func expandPairs(
    _ row: UnsafePointer<UInt8>, _ positions: UnsafePointer<UInt16>,
    _ weights: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// Enlarges a row by `k = 1 << shift`, shift 1 to 8, and interpolates: sample s lies in the middle
  /// of the outputs `s*k ..< s*k + k`.
  ///
  /// With `j = i + k/2`, `s = row[j/k - 1]`, `t = row[j/k]` and `w = ((2 * (j % k) + 1) * 128) >> shift`,
  /// `out[i] = (s * (256 - w) + t * w + 128) >> 8`. The row has `ceil(count / k)` samples; what would
  /// lie beyond is its first or last one.
  static func enlargeRow(
    _ row: UnsafePointer<UInt8>, _ shift: Int, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// `enlargeRow` for interleaved pairs (Cb, Cr): `count` counts pairs.
  static func enlargePairs(
    _ row: UnsafePointer<UInt8>, _ shift: Int, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// Averages neighbours, for the alpha of chroma: `out[2*i] = out[2*i + 1] =
  /// (row[2*i] + row[2*i + 1] + 1) >> 1`; `count` counts pairs.
  static func averagePairs(
    _ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// Interpolates between two rows.
  ///
  /// `out[i] = (top[i] * (256 - weight) + bottom[i] * weight + 128) >> 8`, weight in 0 to 256. `out`
  /// may be `top` or `bottom`.
  static func mixRows(
    _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// Blends the frame's row over a background, by an alpha that lies between two rows.
  ///
  /// With `alpha` mixed of `top[i]` and `bottom[i]` as `mixRows` does, `row[i] = round((row[i] * alpha +
  /// background[i] * (255 - alpha)) / 255)`, exactly.
  static func blendRow(
    _ row: UnsafeMutablePointer<UInt8>, _ background: UnsafePointer<UInt8>,
    _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int, _ count: Int
  )

  /// Takes the old room's colour out of a row that is a mixture of person and room.
  ///
  /// With `person` and `room` mixed of their two rows by `weight` as `mixRows` does, `alpha` likewise
  /// by `alphaWeight`, and `share = round(abs(person - room) * (255 - alpha) / 255)`, what the room
  /// has in the sample: where person and room differ in the same direction as person and `row[i]`,
  /// `row[i]` moves towards `person` by `share`, but not past it; elsewhere it stays.
  static func despillRow(
    _ row: UnsafeMutablePointer<UInt8>, _ personTop: UnsafePointer<UInt8>,
    _ personBottom: UnsafePointer<UInt8>, _ roomTop: UnsafePointer<UInt8>,
    _ roomBottom: UnsafePointer<UInt8>, _ weight: Int, _ alphaTop: UnsafePointer<UInt8>,
    _ alphaBottom: UnsafePointer<UInt8>, _ alphaWeight: Int, _ count: Int
  )

  /// Replaces a row by the person's colour where it is more room than person.
  ///
  /// With `person` and `alpha` mixed as for `despillRow`, and `share = clamp(4 * (alpha - 127))`,
  /// clamped to `0 ... 255`, `row[i] = round((row[i] * share + person * (255 - share)) / 255)`,
  /// exactly: below half alpha it is `person`, from three quarters on it stays.
  static func fadeRow(
    _ row: UnsafeMutablePointer<UInt8>, _ personTop: UnsafePointer<UInt8>,
    _ personBottom: UnsafePointer<UInt8>, _ weight: Int, _ alphaTop: UnsafePointer<UInt8>,
    _ alphaBottom: UnsafePointer<UInt8>, _ alphaWeight: Int, _ count: Int
  )

  /// Adds light to a row: with `light` mixed of `top[i]` and `bottom[i]` as `mixRows` does and 128
  /// standing for none, `row[i] = clamp(row[i] + light - 128)`, clamped to `low ... high`.
  static func addLight(
    _ row: UnsafeMutablePointer<UInt8>, _ top: UnsafePointer<UInt8>,
    _ bottom: UnsafePointer<UInt8>, _ weight: Int, _ low: UInt8, _ high: UInt8, _ count: Int
  )

  /// `out[i] = max(a[i], b[i])`; `out` may be `a` or `b`.
  static func maximumRow(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  )

  /// `out[i] = min(a[i], b[i])`; `out` may be `a` or `b`.
  static func minimumRow(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  )

  /// How much a sample of the matte is room: `out[i] = max(1 - slope * Float(row[i]), least)`.
  static func roomWeights(
    _ row: UnsafePointer<UInt8>, _ slope: Float, _ least: Float,
    _ out: UnsafeMutablePointer<Float>, _ count: Int
  )

  /// Weighs samples for a blur that leaves the person out: `out[i] = weights[i / repeats] *
  /// Float(row[i])`, repeats 1 or 2 (for interleaved pairs, one weight a pair).
  static func weighRow(
    _ row: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ repeats: Int,
    _ out: UnsafeMutablePointer<Float>, _ count: Int
  )

  /// Undoes the weighing: `out[i] = clamp(round(sums[i] / weights[i / repeats]))`.
  ///
  /// A weight may be 0: 0 / 0 gives 0, as any not-a-number does, and x / 0 gives 255 for x above 0.
  static func unweighRow(
    _ sums: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ repeats: Int,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// Symmetric filter along a row: `out[i] = taps[0] * row[i] + sum over t in 1..<tapCount of
  /// taps[t] * (row[i - t*step] + row[i + t*step])`, added in the order of t.
  ///
  /// `tapCount` is at least 1. `row` has `(tapCount - 1) * step` readable samples before its first and
  /// after its last one.
  static func convolveRow(
    _ row: UnsafePointer<Float>, _ step: Int, _ taps: UnsafePointer<Float>, _ tapCount: Int,
    _ out: UnsafeMutablePointer<Float>, _ count: Int
  )
}

/// A matte and the colours that it belongs to, one sample of each a pixel.
///
/// Safety: the maker owns the memory and keeps it for as long as this is used.
@safe public struct MattePlanes {
  /// Alpha.
  public let alpha: UnsafePointer<UInt8>
  /// Luma.
  public let luma: UnsafePointer<UInt8>
  /// Blue difference.
  public let cb: UnsafePointer<UInt8>
  /// Red difference.
  public let cr: UnsafePointer<UInt8>

  /// Describes planes in which a filter begins at these samples.
  @unsafe public init(
    alpha: UnsafePointer<UInt8>, luma: UnsafePointer<UInt8>, cb: UnsafePointer<UInt8>,
    cr: UnsafePointer<UInt8>
  ) {
    unsafe self.alpha = alpha
    unsafe self.luma = luma
    unsafe self.cb = cb
    unsafe self.cr = cr
  }
}
