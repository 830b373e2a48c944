#if canImport(Glibc)
  import Glibc
#endif
import GstVideoFilterKit

/// Draws one sticker into one frame.
struct StickerPainter {
  private let level: StickerImage.Level
  /// The distance in the image for a step of one pixel to the right, in samples along rows and
  /// columns.
  private let (across, down): (Float, Float)
  /// The middle of the image, in samples.
  private let (middleX, middleY): (Float, Float)
  private let place: StickerPlace
  private let columns: Range<Int>
  private let rows: Range<Int>

  /// Creates a painter, or returns nil if the sticker does not overlap the frame.
  init?(_ image: StickerImage, at place: StickerPlace, width: Int, height: Int) {
    guard place.x.isFinite, place.y.isFinite, place.roll.isFinite, place.width.isFinite,
      place.width >= 1
    else { return nil }
    let step = Float(image.width) / place.width
    let factor: Float
    (level, factor) = image.level(for: step)
    let (cosine, sine) = (cosf(place.roll), sinf(place.roll))
    (across, down) = (cosine * step / factor, sine * step / factor)
    // Do not use half of the level's size, which is rounded up.
    middleX = Float(image.width) / factor / 2
    middleY = Float(image.height) / factor / 2
    self.place = place
    let (halfWidth, halfHeight) = (place.width / 2, Float(image.height) / step / 2)
    // The border of one sample mixes with the frame.
    let margin = 1 + factor / step
    let reachX = cosine.magnitude * halfWidth + sine.magnitude * halfHeight + margin
    let reachY = sine.magnitude * halfWidth + cosine.magnitude * halfHeight + margin
    columns = Self.range(place.x, reachX, end: width)
    rows = Self.range(place.y, reachY, end: height)
    if columns.isEmpty || rows.isEmpty { return nil }
  }

  /// Returns the range of pixels within `reach` of the middle.
  ///
  /// The range starts at an even pixel, at which a chroma sample starts.
  private static func range(_ middle: Float, _ reach: Float, end: Int) -> Range<Int> {
    func index(_ value: Float) -> Int { Int(min(max(value, 0), Float(end))) }
    let first = index(middle - reach)
    let end = min(index(middle + reach + 1) + 1, end)
    return first - first % 2..<max(end, first - first % 2)
  }

  /// Returns the sample of the sticker at a pixel.
  @inline(__always)
  private func sample(_ x: Int, _ y: Int) -> SIMD4<Float> {
    let (right, below) = (Float(x) + 0.5 - place.x, Float(y) + 0.5 - place.y)
    return level.sample(
      right * across + below * down + middleX,
      below * across - right * down + middleY)
  }

  @inline(__always)
  private static func byte(_ value: Float) -> UInt8 { UInt8(min(max(value + 0.5, 0), 255)) }

  /// Draws into red, green, blue and alpha.
  func drawColors(_ pixels: inout FramePlane) {
    for y in rows {
      var row = pixels.row(y)
      for x in columns {
        let new = sample(x, y)
        guard new.w > 0 else { continue }
        let at = 4 &* x
        let oldAlpha = Float(row[at &+ 3]) / 255
        let rest = oldAlpha * (1 - new.w)
        let alpha = new.w + rest
        row[at] = Self.byte((new.x + Float(row[at]) * rest) / alpha)
        row[at &+ 1] = Self.byte((new.y + Float(row[at &+ 1]) * rest) / alpha)
        row[at &+ 2] = Self.byte((new.z + Float(row[at &+ 2]) * rest) / alpha)
        row[at &+ 3] = Self.byte(alpha * 255)
      }
    }
  }

  /// Draws into luma and chroma.
  ///
  /// A chroma sample gets the mean over the pixels of its block.
  func drawYCbCr(_ luma: inout FramePlane, _ chroma: inout ChromaPlanes) {
    var sums = [SIMD4<Float>](repeating: .zero, count: (columns.count + 1) / 2)
    let first = columns.lowerBound / 2
    for top in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
      for index in sums.indices { sums[index] = .zero }
      // The last block may have only one row.
      let blockRows = top..<min(top + 2, luma.height)
      for y in blockRows {
        var row = luma.row(y)
        for x in columns {
          let new = sample(x, y)
          guard new.w > 0 else { continue }
          row[x] = Self.byte(new.x + Float(row[x]) * (1 - new.w))
          sums[x / 2 &- first] += new
        }
      }
      for (index, sum) in sums.enumerated() where sum.w > 0 {
        let column = first + index
        let blockColumns = min(2, luma.width - 2 * column)
        let mean = sum / Float(blockColumns * blockRows.count)
        func mix(_ new: Float, _ old: UInt8) -> UInt8 {
          Self.byte(new + Float(old) * (1 - mean.w))
        }
        if chroma.interleaved.height > 0 {
          var row = chroma.interleaved.row(top / 2)
          row[2 * column] = mix(mean.y, row[2 * column])
          row[2 * column + 1] = mix(mean.z, row[2 * column + 1])
        } else {
          var blue = chroma.cb.row(top / 2)
          blue[column] = mix(mean.y, blue[column])
          var red = chroma.cr.row(top / 2)
          red[column] = mix(mean.z, red[column])
        }
      }
    }
  }
}
