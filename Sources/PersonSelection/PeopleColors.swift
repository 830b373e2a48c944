import Matting
import PixelTypes

#if canImport(Glibc)
  import Glibc
#endif

/// Knows which of two people a colour is likelier to belong to, by histograms of their colours.
///
/// Used on one thread at a time. Allocates nothing after it is made.
final class PeopleColors {
  /// A row of a picture whose chroma has half as many samples.
  ///
  /// Points into the picture: valid as long as that is.
  @safe struct Row {
    private let luma: UnsafeMutablePointer<UInt8>, chroma: UnsafeMutablePointer<UInt8>

    /// Row `y` of `picture`.
    init(_ picture: Frame, _ y: Int) {
      unsafe luma = picture.luma.row(y)
      unsafe chroma = picture.chroma.row(y / 2)
    }

    /// The number of the colour of sample `x`.
    func color(_ x: Int) -> Int {
      let pair = x & ~1
      return unsafe Int(luma[x] >> 4) << 10 | Int(chroma[pair] >> 3) << 5
        | Int(chroma[pair + 1] >> 3)
    }

    /// The squared difference of sample `x` to sample `otherX` of another row.
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

  /// Samples whose benefit is less are not learned from: it is in doubt whose they are.
  private static let certainty: Float = 1
  /// Fewer samples than these tell no colours.
  private static let fewest: Float = 30
  /// What colours that were not seen are as likely as, of 1.
  private static let unseen: Float = 1e-4
  /// Colours differ by luma, Cb and Cr: levels of each, and the step between their numbers.
  private static let axes = [
    (levels: 16, step: 1024), (levels: 32, step: 32), (levels: 32, step: 1),
  ]
  private static let count = 16 * 32 * 32

  /// Of the first one's colours; after `learn`, the logarithms.
  private let first = Raster<Float>(width: count, height: 1, filledWith: 0)
  private let second = Raster<Float>(width: count, height: 1, filledWith: 0)

  /// The logarithm of how many times likelier a colour is the first one's.
  func likelihood(_ color: Int) -> Float { unsafe first.base[color] }

  /// Learns from the samples of a picture that are solid in a matte: `benefits` is above 0 where one is
  /// rather the first one's, below where it is the second's.
  ///
  /// False if there are too few of either. All colours are as likely then.
  func learn(_ benefits: Raster<Float>, _ matte: Raster<UInt8>, _ picture: Frame) -> Bool {
    first.fill(with: 0)
    second.fill(with: 0)
    var (ofFirst, ofSecond) = (Float(0), Float(0))
    for y in 0..<benefits.height {
      let (row, alphas, benefit) = unsafe (Row(picture, y), matte.row(y), benefits.row(y))
      for x in 0..<benefits.width
      where unsafe alphas[x] >= Matte.solid && abs(benefit[x]) > Self.certainty {
        if unsafe benefit[x] > 0 {
          unsafe first.base[row.color(x)] += 1
          ofFirst += 1
        } else {
          unsafe second.base[row.color(x)] += 1
          ofSecond += 1
        }
      }
    }
    guard min(ofFirst, ofSecond) >= Self.fewest else {
      first.fill(with: 0)
      return false
    }
    smooth(first)
    smooth(second)
    for i in 0..<Self.count where unsafe first.base[i] + second.base[i] > 0 {
      unsafe first.base[i] = logf(
        (first.base[i] / ofFirst + Self.unseen) / (second.base[i] / ofSecond + Self.unseen))
    }
    return true
  }

  /// Spreads colours to those beside them: 1/4, 1/2, 1/4 along each axis.
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
