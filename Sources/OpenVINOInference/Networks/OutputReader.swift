import Matting
import PixelTypes

/// Converts the output of a network to a matte of the picture's size.
///
/// It works in place and in preallocated buffers, so it allocates no memory per picture. Not
/// thread-safe.
final class OutputReader {
  private let format: OutputFormat
  /// The channels to keep.
  private let kept: Raster<Int32>
  /// Per channel or label: 1 to keep it, otherwise 0.
  private let shares: Raster<Float>
  /// The scaler and the scaled matte, or nil if the output has the picture's size.
  private let scaling: (scaler: BilinearScaler, matte: Raster<Float>)?
  /// Rows of the maximum logits, the sums of all exponentials, and the sums of the kept ones.
  private let rows: Raster<Float>

  /// Creates a reader for the channels or labels in `kept`.
  ///
  /// Channels must exist in the output, and labels must not be negative.
  init(_ format: OutputFormat, kept: [Int], width: Int, height: Int) {
    self.format = format
    let count = format.values == .labels ? (kept.max() ?? 0) + 1 : format.channels
    self.kept = Raster(width: kept.count, height: 1, filledWith: 0)
    shares = Raster(width: count, height: 1, filledWith: 0)
    for (index, channel) in kept.enumerated() {
      unsafe self.kept.base[index] = Int32(channel)
      unsafe shares.base[channel] = 1
    }
    if format.width == width && format.height == height {
      scaling = nil
    } else {
      let scaler = BilinearScaler(
        fromWidth: format.width, fromHeight: format.height, toWidth: width, toHeight: height)
      scaling = (scaler, Raster(width: width, height: height, filledWith: 0))
    }
    let columns = format.values == .softmaxLogits ? format.width : 0
    rows = Raster(width: columns, height: 3, filledWith: 0)
  }

  /// Converts `output` to a matte.
  ///
  /// The values must be finite. They are overwritten. The matte is stored in `output` or in this
  /// reader, and is valid until the next call.
  func read(_ output: UnsafeMutablePointer<Float>) -> RawMatte {
    switch format.values {
    case .probabilities: unsafe reduce(output, 0) { $0 + $1 }
    case .sigmoidLogits:
      unsafe reduce(output, -.infinity) { $1 > $0 ? $1 : $0 }
      for pixel in 0..<area { unsafe output[pixel] = 1 / (1 + fastExponential(-output[pixel])) }
    case .softmaxLogits:
      switch format.layout {
      case .planar: unsafe applyPlanarSoftmax(output)
      case .interleaved: unsafe applyInterleavedSoftmax(output)
      }
    case .labels: unsafe compareLabels(output)
    }
    guard let (scaler, matte) = scaling else {
      return unsafe RawMatte(base: output, width: format.width, height: format.height)
    }
    unsafe scaler.scale(output, into: matte.base)
    return unsafe RawMatte(base: matte.base, width: matte.width, height: matte.height)
  }

  // The matte replaces the first values. This is safe: a pixel's values are read before its matte
  // is written, and unread values are after the written ones or in another plane.

  private var area: Int { format.width * format.height }

  /// Combines the kept channels of each pixel, beginning with `start`.
  @inline(__always)
  private func reduce(
    _ output: UnsafeMutablePointer<Float>, _ start: Float, by combine: (Float, Float) -> Float
  ) {
    if format.channels == 1 { return }
    let (pixelStep, channelStep) = format.layout == .planar ? (1, area) : (format.channels, 1)
    for pixel in 0..<area {
      var value = start
      for index in 0..<kept.width {
        let channel = unsafe Int(kept.base[index])
        value = unsafe combine(value, output[pixel &* pixelStep &+ channel &* channelStep])
      }
      unsafe output[pixel] = value
    }
  }

  private func compareLabels(_ output: UnsafeMutablePointer<Float>) {
    for pixel in 0..<area {
      let label = unsafe output[pixel]
      let index = label >= 0 && label < Float(shares.width) ? Int(label.rounded()) : shares.width
      unsafe output[pixel] = index < shares.width ? shares.base[index] : 0
    }
  }

  private func applyPlanarSoftmax(_ output: UnsafeMutablePointer<Float>) {
    let (width, area) = (format.width, area)
    let (peak, total, sum) = unsafe (rows.row(0), rows.row(1), rows.row(2))
    for y in 0..<format.height {
      let row = unsafe output + y * width
      unsafe peak.update(from: row, count: width)
      for channel in 1..<format.channels {
        let logits = unsafe row + channel * area
        for x in 0..<width { unsafe peak[x] = logits[x] > peak[x] ? logits[x] : peak[x] }
      }
      unsafe total.update(repeating: 0, count: width)
      unsafe sum.update(repeating: 0, count: width)
      for channel in 0..<format.channels {
        let logits = unsafe row + channel * area
        let share = unsafe shares.base[channel]
        for x in 0..<width {
          let power = unsafe fastExponential(logits[x] - peak[x])
          unsafe total[x] += power
          unsafe sum[x] += share * power
        }
      }
      for x in 0..<width { unsafe row[x] = sum[x] / total[x] }
    }
  }

  private func applyInterleavedSoftmax(_ output: UnsafeMutablePointer<Float>) {
    let (width, channels) = (format.width, format.channels)
    for y in 0..<format.height {
      let row = unsafe output + y * width * channels
      for x in 0..<width {
        let logits = unsafe row + x * channels
        var peak = unsafe logits[0]
        for channel in 1..<channels {
          unsafe peak = logits[channel] > peak ? logits[channel] : peak
        }
        for channel in 0..<channels { unsafe logits[channel] -= peak }
      }
      // Process the whole row in one loop, which vectorises better than a loop per pixel.
      for index in 0..<width &* channels { unsafe row[index] = fastExponential(row[index]) }
      for x in 0..<width {
        let powers = unsafe row + x * channels
        var total: Float = 0
        var sum: Float = 0
        for channel in 0..<channels { unsafe total += powers[channel] }
        for index in 0..<kept.width { unsafe sum += powers[Int(kept.base[index])] }
        unsafe output[y * width + x] = sum / total
      }
    }
  }
}

/// Returns e to the power of `x`, with six correct digits.
///
/// `x` is first clamped to the range from -87 to 88. The compiler can vectorise this function, but
/// not the C library's. A network with 21 classes needs more than a million calls per picture.
@inline(__always)
func fastExponential(_ x: Float) -> Float {
  let bounded = x < 88 ? (x > -87 ? x : -87) : 88
  // Adding 1.5 * 2^23 rounds to an integer, which is then in the low bits.
  let shifted = bounded * 1.442695 + 12_582_912
  let power = shifted - 12_582_912
  let rest = bounded - power * 0.69335938 + power * 2.1219444e-4
  // Cephes' polynomial for 2^-0.5 to 2^0.5, by Moshier.
  var sum: Float = 1.9875692e-4
  sum = sum * rest + 1.3981999e-3
  sum = sum * rest + 8.333452e-3
  sum = sum * rest + 4.1665796e-2
  sum = sum * rest + 1.6666666e-1
  sum = sum * rest + 0.5
  sum = sum * rest * rest + rest + 1
  return Float(bitPattern: sum.bitPattern &+ shifted.bitPattern &<< 23)
}
