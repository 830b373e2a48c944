import Foundation
import PixelTypes
import Processor
import TestSupport
import Testing

@testable import Matting

/// A picture of waves, which is known between its samples too.
private struct Waves {
  let width = 60, height = 40

  func picture(movedBy x: Double, _ y: Double) -> Raster<UInt8> {
    let picture = Raster<UInt8>(width: width, height: height, filledWith: 0)
    for row in 0..<height {
      for column in 0..<width {
        let (u, v) = (Double(column) - x, Double(row) - y)
        let value = 128 + 60 * sin(u / 2.5 + v / 9) + 50 * cos(v / 3 - u / 11)
        unsafe picture.row(row)[column] = UInt8(value.rounded())
      }
    }
    return picture
  }
}

@Suite struct BlockAlignmentTests {
  private let waves = Waves()
  private let alignment = BlockAlignment(kernels: InstructionSet.current.kernels)

  /// Vectors are from where a block is to where it was: against the motion.
  @Test(
    arguments: [
      (0.5, 0), (0, 0.5), (-0.3, 0.7), (3.2, -1.8), (0.06, 0.9), (-4.5, 2.5),
    ] as [(Double, Double)])
  func partsOfASampleAreFound(x: Double, y: Double) {
    let (before, after) = (waves.picture(movedBy: 0, 0), waves.picture(movedBy: x, y))
    let near = MotionVector(x: Int((-x).rounded()), y: Int((-y).rounded()))
    for (column, row) in [(20, 12), (30, 20), (41, 15)] {
      let found = alignment.align(after.plane, column, row, to: before.plane, near: near)
      // Within a sixteenth of a sample, and the rounding to one.
      #expect(abs(Double(found.x) + 16 * x) <= 1.5, "\(column) \(row)")
      #expect(abs(Double(found.y) + 16 * y) <= 1.5, "\(column) \(row)")
    }
    withExtendedLifetime((before, after)) {}
  }

  @Test func whatHasNoSlopesStays() {
    let flat = Raster<UInt8>(width: 60, height: 40, filledWith: 90)
    let other = Raster<UInt8>(width: 60, height: 40, filledWith: 200)
    let found = alignment.align(
      flat.plane, 20, 20, to: other.plane, near: MotionVector(x: 2, y: -3))
    #expect(found == MotionVector(x: 32, y: -48))
    withExtendedLifetime((flat, other)) {}
  }

  /// Along an edge nothing is known; across it is.
  @Test func anEdgeMovesOnlyAcross() {
    func ramp(_ shift: Double) -> Raster<UInt8> {
      let picture = Raster<UInt8>(width: 60, height: 40, filledWith: 0)
      for i in 0..<60 * 40 {
        let value = 128 + 100 * tanh((Double(i % 60) - 24 - shift) / 3)
        unsafe picture.base[i] = UInt8(value.rounded())
      }
      return picture
    }
    let (before, after) = (ramp(0), ramp(0.5))
    let found = alignment.align(after.plane, 20, 20, to: before.plane, near: MotionVector())
    #expect(abs(found.x + 8) <= 1 && found.y == 0)
    withExtendedLifetime((before, after)) {}
  }

  /// From there it finds the wave beside the right one, which is no part of a sample away.
  @Test func whatGoesAstrayStaysWhereItBegan() {
    let (before, after) = (waves.picture(movedBy: 0, 0), waves.picture(movedBy: 5, 0))
    let near = MotionVector(x: -2, y: 0)
    let found = alignment.align(after.plane, 30, 20, to: before.plane, near: near)
    #expect(found == MotionVector(x: -32, y: 0))
    withExtendedLifetime((before, after)) {}
  }

  /// Whatever the pictures are, and wherever the block is in them, nothing outside is read.
  @Test(arguments: [(10, 10), (11, 37), (60, 10)])
  func allOfAPictureIsTaken(width: Int, height: Int) {
    var generator = SeededGenerator(seed: UInt64(width))
    func random() -> SampleRow<UInt8> { SampleRow(generator.bytes(width * height), at: .pageEnd) }
    let rows = (random(), random())
    func plane(_ row: SampleRow<UInt8>) -> Plane {
      unsafe Plane(base: row.base, width: width, height: height, stride: width)
    }
    for y in 1...height - 9 {
      for x in 1...width - 9 {
        for vector in [(-x, -y), (width - 8 - x, height - 8 - y), (0, 0)] {
          let near = MotionVector(x: vector.0, y: vector.1)
          let found = alignment.align(plane(rows.0), x, y, to: plane(rows.1), near: near)
          #expect(max(abs(found.x - 16 * near.x), abs(found.y - 16 * near.y)) <= 48)
        }
      }
    }
    withExtendedLifetime(rows) {}
  }
}
