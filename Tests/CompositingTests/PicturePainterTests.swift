import Glibc
import PixelTypes
import Processor
import TestSupport
import Testing

@testable import Compositing

/// Compares the painter with the same sums in double precision, pixel by pixel.
@Suite struct PicturePainterTests {
  /// A picture with hard edges, noise and every degree of transparency.
  struct Picture {
    let width: Int
    let height: Int
    let pixels: Raster<UInt32>

    init(width: Int, height: Int, isOpaque: Bool, seed: UInt64) {
      self.width = width
      self.height = height
      pixels = Raster(width: width, height: height, filledWith: 0)
      var generator = SeededGenerator(seed: seed)
      for y in 0..<height {
        for x in 0..<width {
          let alpha: UInt32 = isOpaque ? 255 : .random(in: 0...255, using: &generator)
          // Colours are premultiplied, so alpha is their maximum. Half of the samples are 0 or
          // alpha.
          func sample() -> UInt32 {
            Bool.random(using: &generator)
              ? .random(in: 0...alpha, using: &generator) : (x / 3 + y / 2) % 2 == 0 ? alpha : 0
          }
          unsafe pixels.row(y)[x] = sample() | sample() << 8 | sample() << 16 | alpha << 24
        }
      }
    }

    func sample(_ x: Int, _ y: Int, _ channel: Int) -> Double {
      unsafe Double(pixels.row(y)[x] >> (8 * channel) & 0xFF)
    }
  }

  /// Weights of source samples for output sample `i`, by the definition of a Lanczos filter.
  private func weights(_ i: Int, _ count: Int, _ sourceCount: Int) -> [Double] {
    let scale = Double(sourceCount) / Double(count)
    let centre = (Double(i) + 0.5) * scale - 0.5
    let values = (0..<sourceCount).map { position -> Double in
      let x = (Double(position) - centre) / max(scale, 1)
      if abs(x) >= 3 { return 0 }
      return abs(x) < 1e-9
        ? 1 : 3 * sin(.pi * x) * sin(.pi * x / 3) / (Double.pi * Double.pi * x * x)
    }
    let sum = values.reduce(0, +)
    return values.map { $0 / sum }
  }

  @Test(
    "scales, blends and converts as specified, with every instruction set",
    arguments: [
      (8, 6, 16, 12), (40, 30, 17, 17), (33, 21, 33, 21), (5, 7, 32, 19), (90, 4, 16, 16),
      (1, 1, 16, 18), (64, 64, 32, 32),
    ], [true, false])
  func specification(_ size: (Int, Int, Int, Int), _ isOpaque: Bool) {
    let (width, height, outWidth, outHeight) = size
    let picture = Picture(
      width: width + 3, height: height + 2, isOpaque: isOpaque, seed: UInt64(width * height))
    let part = PixelRegion(x: 2, y: 1, width: width, height: height)
    let place = PixelRegion(x: 4, y: 2, width: outWidth, height: outHeight)
    let background: UInt32 = 0x77C0_40E0
    let colorimetry = Colorimetry(matrix: .bt709, range: .limited)

    let columns = (0..<outWidth).map { weights($0, outWidth, width) }
    let rows = (0..<outHeight).map { weights($0, outHeight, height) }
    // Red, green and blue of each pixel of the place, 0 to 255.
    let expected: [[[Double]]] = (0..<outHeight).map { y in
      (0..<outWidth).map { x in
        let sums = (0..<4).map { channel in
          var sum = 0.0
          for (row, rowWeight) in rows[y].enumerated() where rowWeight != 0 {
            for (column, weight) in columns[x].enumerated() where weight != 0 {
              sum +=
                rowWeight * weight
                * picture.sample(part.x + column, part.y + row, channel)
            }
          }
          return sum
        }
        return (0..<3).map { channel in
          let color = Double(background >> (16 - 8 * channel) & 0xFF)
          return min(max(sums[channel] + color * (1 - sums[3] / 255), 0), 255)
        }
      }
    }

    for set in InstructionSet.available {
      let target = TestPicture(
        format: FrameFormat(
          width: outWidth + 4, height: outHeight + 2, colorimetry: colorimetry), padding: 13)
      set.run {
        PicturePainter().paint(
          picture.pixels, part: part, isOpaque: isOpaque, over: background, into: target.frame,
          at: place, colorimetry: colorimetry)
      }
      var worst = 0.0
      for y in 0..<outHeight {
        for x in 0..<outWidth {
          let luma = code(expected[y][x], colorimetry).luma
          worst = max(worst, abs(luma - Double(target.luma(x + 4, y + 2))))
          guard x % 2 == 0, y % 2 == 0 else { continue }
          let block = [y, min(y + 1, outHeight - 1)].flatMap { row in
            [x, min(x + 1, outWidth - 1)].map { expected[row][$0] }
          }
          let mean = (0..<3).map { channel in block.map { $0[channel] }.reduce(0, +) / 4 }
          let (_, cb, cr) = code(mean, colorimetry)
          let chroma = target.chroma(x + 4, y + 2)
          worst = max(worst, abs(cb - Double(chroma.cb)), abs(cr - Double(chroma.cr)))
        }
      }
      // 0.5 is the error of rounding, the rest the error of sums in single precision.
      #expect(worst < 0.51, "\(set)")
      #expect(target.paddingIsIntact)
      #expect(target.luma(3, 2) == Int(TestPicture.paddingMark), "left of the place")
      #expect(target.luma(4, 1) == Int(TestPicture.paddingMark), "above the place")
    }
  }

  /// Code values without rounding.
  private func code(
    _ color: [Double], _ colorimetry: Colorimetry
  ) -> (luma: Double, cb: Double, cr: Double) {
    let (kr, kb) = colorimetry.lumaWeights
    let (offset, lumaSpan, chromaSpan) = colorimetry.scale
    let (r, g, b) = (color[0] / 255, color[1] / 255, color[2] / 255)
    let y = kr * r + (1 - kr - kb) * g + kb * b
    return (
      offset + lumaSpan * y, 128 + chromaSpan * (b - y) / (2 * (1 - kb)),
      128 + chromaSpan * (r - y) / (2 * (1 - kr))
    )
  }
}
