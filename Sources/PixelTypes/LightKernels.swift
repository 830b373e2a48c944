/// The row kernels that change the light of a picture.
///
/// The rules of `RowKernels` apply.
public protocol LightKernels {
  /// Applies a light curve to a row of luma.
  ///
  /// With `x = 128 * (row[i] - curve.low)`, `gain = curve.gain + ((curve.slope * x) >> 16)` and
  /// `y = (((gain * x) >> 16) + 8) >> 4`, `row[i] = min(curve.low + y, 255)`. Samples up to
  /// `curve.low` do not change.
  static func relightRow(_ row: UnsafeMutablePointer<UInt8>, _ curve: LightCurve, _ count: Int)

  /// Applies a light curve to interleaved pairs (Cb, Cr): `count` counts pairs.
  ///
  /// With the `shift` of the channel, `curve.cb` or `curve.cr`,
  /// `row[i] = clamp(128 + ((curve.saturation * (row[i] - 128) + shift + 64) >> 7))`.
  static func relightPairs(_ row: UnsafeMutablePointer<UInt8>, _ curve: LightCurve, _ count: Int)

  /// Applies a light curve to luma three times. Rows may be the same.
  ///
  /// With `x = 128 * max(row[i] - curve.low, 0)`, and then three times
  /// `gain = max(curve.gain + ((curve.slope * x) >> 16), 8192)` and `x = ((gain * x) >> 16) << 3`:
  /// `out[i] = curve.low + ((x + 64) >> 7)`. The curve brightens, with a `gain` below 16384.
  static func brightenRow(
    _ row: UnsafePointer<UInt8>, _ curve: LightCurve, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  )

  /// Brightens pairs (Cb, Cr) by as much as their luma, so that colours keep their saturation.
  ///
  /// With the three gains of `brightenRow` for the rounded mean of `top[2*i]` and `bottom[2*i]`,
  /// the factor in units of 1/4096 is `((((g0 * g1) >> 16) << 2) * g2 >> 16) << 3`. Both chroma
  /// values become `clamp(128 + round((chroma - 128) * factor / 4096))`, where the product is first
  /// rounded down to eighths. `count` counts pairs.
  static func brightenPairs(
    _ row: UnsafePointer<UInt8>, _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>,
    _ curve: LightCurve, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// Computes how much of earlier frames may be averaged with a frame.
  ///
  /// `past` is the mean of earlier rows in units of 1/256, or 0 without an earlier row. The weight
  /// `out[i]` falls from `maxWeight`, at a difference of up to `noise` (1/256) between `past` and
  /// the row, to 0 at twice as much. It is 0 if `matte[i]` is not 255, or without an earlier row.
  /// Then `past[i]` becomes the mean with this weight, or 0 if `matte[i]` is not 255.
  /// `noise` is 256 to 16384.
  static func pastWeights(
    _ row: UnsafePointer<UInt8>, _ matte: UnsafePointer<UInt8>,
    _ past: UnsafeMutablePointer<UInt16>, _ noise: UInt16, _ maxWeight: UInt8,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )
}
