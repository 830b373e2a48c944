import Foundation
import PixelTypes
import TestSupport
import Testing

@testable import Matting

@Suite struct BlockAlignmentTests {
  private let alignment = BlockAlignment()

  /// Both pictures end at a forbidden page, so that a read past their end ends the process.
  @Test(
    "aligns blocks anywhere in a picture without reading outside it",
    arguments: [(10, 10), (11, 37), (60, 10)])
  func anyPosition(width: Int, height: Int) {
    var generator = SeededGenerator(seed: UInt64(width))
    let rows = GuardedRows(
      (0..<2).map { _ in generator.bytes(width * height) }, isAtEnd: true)
    let planes = rows.places.map {
      unsafe Plane(base: $0.bytes, width: width, height: height, stride: width)
    }
    for y in 1...height - 9 {
      for x in 1...width - 9 {
        for vector in [(-x, -y), (width - 8 - x, height - 8 - y), (0, 0)] {
          let near = MotionVector(x: vector.0, y: vector.1)
          let found = alignment.align(planes[0], x, y, to: planes[1], near: near)
          #expect(max(abs(found.x - 16 * near.x), abs(found.y - 16 * near.y)) <= 48)
        }
      }
    }
    withExtendedLifetime(rows) {}
  }
}
