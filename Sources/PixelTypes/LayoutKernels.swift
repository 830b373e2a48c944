/// The row kernels that convert rows between pixel formats.
///
/// The rules of `RowKernels` apply.
public protocol LayoutKernels {
  /// `out[2*i] = first[i]`, `out[2*i + 1] = second[i]`.
  static func interleaveRows(
    _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// `first[i] = row[2*i]`, `second[i] = row[2*i + 1]`.
  static func deinterleaveRow(
    _ row: UnsafePointer<UInt8>, _ first: UnsafeMutablePointer<UInt8>,
    _ second: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// Swaps pairs: `out[2*i] = row[2*i + 1]`, `out[2*i + 1] = row[2*i]`, for `count` pairs.
  static func swapPairs(
    _ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// Converts 16-bit samples in little-endian words to 8 bits.
  ///
  /// With `w = row[2*i] + 256 * row[2*i + 1]`, `out[i] = min((w + 128) >> 8, 255)`.
  static func narrowRow(
    _ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// Converts 8-bit samples to the upper bits of 16-bit little-endian words.
  ///
  /// `out[2*i] = 0`, `out[2*i + 1] = row[i]`. Code values of limited range keep their meaning:
  /// n-bit values are 8-bit values times 2^(n - 8) (Recommendation ITU-R BT.709, 4.6).
  static func widenRow(
    _ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// Sets `row[i] = value` if `alpha[i]` is 0.
  static func clearRow(
    _ row: UnsafeMutablePointer<UInt8>, _ alpha: UnsafePointer<UInt8>, _ value: UInt8,
    _ count: Int
  )

  /// Clears chroma pairs without visible luma.
  ///
  /// Sets `row[2*i] = row[2*i + 1] = value` if samples `2*i` and `2*i + 1` of both `top` and
  /// `bottom` are 0. `count` is the number of pairs.
  static func clearPairs(
    _ row: UnsafeMutablePointer<UInt8>, _ top: UnsafePointer<UInt8>,
    _ bottom: UnsafePointer<UInt8>, _ value: UInt8, _ count: Int
  )

  /// `out[i] = clamp((factor * (row[i] - low) + 32768) >> 16)`, with a factor of 0 to 2^22.
  static func stretchRow(
    _ row: UnsafePointer<UInt8>, _ low: UInt8, _ factor: Int32, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
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
    _ luma: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>, _ alpha: UnsafePointer<UInt8>,
    _ coefficients: FixedRGBCoefficients, _ order: PixelByteOrder,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )

  /// Converts YCbCr and alpha to pixels of four bytes in AYUV.
  ///
  /// The bytes are `alpha[i]`, `luma[i]`, `chroma[2*i]`, `chroma[2*i + 1]`. If `alpha[i]` is 0, the
  /// others are `black`, 128 and 128.
  static func packYUV(
    _ luma: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>, _ alpha: UnsafePointer<UInt8>,
    _ black: UInt8, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  )
}

/// The byte order of red, green, blue and alpha in a pixel of four bytes.
public struct PixelByteOrder: Equatable, Sendable {
  /// Bits to shift red by in a little-endian word.
  public var red: UInt32
  /// Bits to shift green by.
  public var green: UInt32
  /// Bits to shift blue by.
  public var blue: UInt32
  /// Bits to shift alpha by.
  public var alpha: UInt32

  /// Creates the order from the index of each sample's byte, 0 to 3.
  public init(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32) {
    self.red = 8 * red
    self.green = 8 * green
    self.blue = 8 * blue
    self.alpha = 8 * alpha
  }
}
