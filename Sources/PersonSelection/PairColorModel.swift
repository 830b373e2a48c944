import Glibc
import Matting
import PixelTypes

/// A two-class model of colour histograms for a pair of people.
///
/// Not thread-safe. Allocates only in `init`.
final class PairColorModel {
  /// A row of a picture whose chroma has half as many samples.
  ///
  /// Points into the picture and is valid only as long as the picture.
  @safe struct Row {
    private let luma: UnsafeMutablePointer<UInt8>, chroma: UnsafeMutablePointer<UInt8>

    /// Row `y` of `picture`.
    init(_ picture: Frame, _ y: Int) {
      unsafe luma = picture.luma.row(y)
      unsafe chroma = picture.chroma.row(y / 2)
    }

    /// The histogram index of the colour of sample `x`.
    func color(_ x: Int) -> Int {
      let pair = x & ~1
      return unsafe Int(luma[x] >> 4) << 10 | Int(chroma[pair] >> 3) << 5
        | Int(chroma[pair + 1] >> 3)
    }

    /// The squared difference between sample `x` and sample `otherX` of another row.
    func difference(_ x: Int, _ other: Row, _ otherX: Int) -> Float {
      let (pair, otherPair) = (x & ~1, otherX & ~1)
      let (y, cb, cr) = unsafe (
        Int32(luma[x]) - Int32(other.luma[otherX]),
        Int32(chroma[pair]) - Int32(other.chroma[otherPair]),
        Int32(chroma[pair + 1]) - Int32(other.chroma[otherPair + 1])
      )
      return Float(y &* y &+ cb &* cb &+ cr &* cr)
    }
  }

  /// Samples with a smaller absolute benefit are not learned, because their owner is uncertain.
  private static let minBenefit: Float = 1
  /// The minimum number of samples per person.
  private static let minSamples: Float = 30
  /// The floor probability for unseen colours.
  private static let floor: Float = 1e-4
  /// Levels of luma, Cb and Cr, and the index step between two levels.
  private static let axes = [
    (levels: 16, step: 1024), (levels: 32, step: 32), (levels: 32, step: 1),
  ]
  private static let count = 16 * 32 * 32

  /// The histogram of the first person, or after `learn` the logarithms of the likelihood ratios.
  private let first = Raster<Float>(width: count, height: 1, filledWith: 0)
  private let second = Raster<Float>(width: count, height: 1, filledWith: 0)

  /// The logarithm of how many times likelier a colour is the first person's.
  func likelihood(_ color: Int) -> Float { unsafe first.base[color] }

  /// Learns from the solid samples of a picture.
  ///
  /// `benefits` is positive for samples of the first person and negative for samples of the second.
  /// If either person has too few samples, all colours are equally likely.
  func learn(_ benefits: Raster<Float>, _ matte: Raster<UInt8>, _ picture: Frame) {
    first.fill(with: 0)
    second.fill(with: 0)
    var (ofFirst, ofSecond) = (Float(0), Float(0))
    for y in 0..<benefits.height {
      let (row, alphas, benefit) = unsafe (Row(picture, y), matte.row(y), benefits.row(y))
      for x in 0..<benefits.width
      where unsafe alphas[x] >= Matte.solid && abs(benefit[x]) > Self.minBenefit {
        if unsafe benefit[x] > 0 {
          unsafe first.base[row.color(x)] += 1
          ofFirst += 1
        } else {
          unsafe second.base[row.color(x)] += 1
          ofSecond += 1
        }
      }
    }
    guard min(ofFirst, ofSecond) >= Self.minSamples else {
      first.fill(with: 0)
      return
    }
    smooth(first)
    smooth(second)
    for i in 0..<Self.count where unsafe first.base[i] + second.base[i] > 0 {
      unsafe first.base[i] = logf(
        (first.base[i] / ofFirst + Self.floor) / (second.base[i] / ofSecond + Self.floor))
    }
  }

  /// Smooths a histogram with the weights 1/4, 1/2 and 1/4 along each axis.
  private func smooth(_ histogram: Raster<Float>) {
    for (levels, step) in Self.axes {
      for block in stride(from: 0, to: Self.count, by: levels * step) {
        for start in block..<block + step {
          var before = unsafe histogram.base[start]
          for level in 0..<levels {
            let i = start + level * step
            let own = unsafe histogram.base[i]
            let next = unsafe level + 1 < levels ? histogram.base[i + step] : own
            unsafe histogram.base[i] = (before + 2 * own + next) / 4
            before = own
          }
        }
      }
    }
  }
}
