import Testing

@testable import GstVideoFilterKit

/// The block means of analyzer pictures, compared with their definition.
@Suite struct BlockMeansTests {
  @Test(arguments: [1, 2, 3, 4, 6, 8, 10, 64, 66], [1, 2, 4])
  func meansAreRounded(_ block: Int, _ channels: Int) throws {
    var random = SystemRandomNumberGenerator()
    for columns in [1, block, 2 * block + 1, 131] {
      for height in [1, 3, 2 * block + 1] {
        let width = columns * channels
        let stride = width + 5
        // The first case is white, so that its sums are the largest possible.
        var bytes = (0..<stride * height).map { _ in
          columns == 1 ? 255 : UInt8.random(in: 0...255, using: &random)
        }
        let samples = bytes
        let kept = channels == 4 ? 3 : channels
        let blocks = (columns + block - 1) / block
        let step = kept + 1
        var means = BlockMeans()
        for row in 0..<(height + block - 1) / block {
          var found = Array(repeating: UInt8(7), count: 2 + blocks * step)
          unsafe bytes.withUnsafeMutableBufferPointer { memory in
            guard let base = memory.baseAddress else { return }
            let plane = unsafe FramePlane(base: base, width: width, height: height, stride: stride)
            var output = found.mutableSpan
            means.write(
              plane, row: row, block: block, channels: channels, into: &output,
              from: 2, step: step)
          }
          let available = min(block, height - row * block)
          let rows = (0..<min(available, 4)).map {
            row * block + $0 * available / min(available, 4)
          }
          var expected = Array(repeating: UInt8(7), count: 2 + blocks * step)
          for x in 0..<blocks {
            let inside = x * block..<min((x + 1) * block, columns)
            for channel in 0..<kept {
              let count = rows.count * inside.count
              let sum = rows.reduce(0) { sum, y in
                inside.reduce(sum) { $0 + Int(samples[y * stride + $1 * channels + channel]) }
              }
              expected[2 + x * step + channel] = UInt8((sum + count / 2) / count)
            }
          }
          #expect(found == expected, "\(columns) columns, \(height) rows, row \(row)")
        }
      }
    }
  }

  @Test func anEmptyPlaneWritesNothing() {
    var byte: [UInt8] = [9]
    var means = BlockMeans()
    var found: [UInt8] = [7, 7]
    unsafe byte.withUnsafeMutableBufferPointer { memory in
      guard let base = memory.baseAddress else { return }
      let plane = unsafe FramePlane(base: base, width: 0, height: 0, stride: 0)
      var output = found.mutableSpan
      means.write(plane, row: 0, block: 2, channels: 1, into: &output, from: 0, step: 1)
    }
    #expect(found == [7, 7])
  }
}
