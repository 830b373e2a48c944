import PixelTypes
import Processor
import Testing

@testable import Matting

@Suite struct BlockDifferencesTests {
  private let differences = BlockDifferences(kernels: InstructionSet.current.kernels)
  private let earlier = Raster<UInt8>(width: 50, height: 27, filledWith: 100)

  /// The earlier picture with other samples from a column on.
  private func picture(from column: Int, _ sample: UInt8) -> Raster<UInt8> {
    let picture = Raster<UInt8>(width: 50, height: 27, filledWith: 100)
    for y in 0..<27 {
      unsafe (picture.row(y) + column).update(repeating: sample, count: 50 - column)
    }
    return picture
  }

  @Test func mostBlocksDecideTheMedianAndOneTheGreatest() {
    // Of seven blocks in a row, of which the last ends with the picture, one or two differ.
    for (column, greatest) in [(42, 60.0), (49, 7.5)] {
      let other = picture(from: column, 160)
      differences.compare(other.plane, with: earlier.plane)
      #expect(differences.greatest == greatest)
      #expect(differences.median == 0.0625)
    }
    let other = picture(from: 16, 98)
    differences.compare(other.plane, with: earlier.plane)
    #expect(differences.greatest == 2)
    #expect(differences.median == 2.0625)
    // Columns 0, 16, 32 and 42: half of them are enough.
    let half = picture(from: 32, 98)
    differences.compare(half.plane, with: earlier.plane, spacing: 16)
    #expect(differences.median == 0.0625)
    withExtendedLifetime((other, half)) {}
  }

  @Test func theMedianHasALimit() {
    let other = picture(from: 0, 255)
    differences.compare(other.plane, with: earlier.plane)
    #expect(differences.greatest == 155)
    #expect(differences.median == 8)
    withExtendedLifetime(other) {}
  }

  @Test func aPictureThatIsSmallerThanABlockHasNone() {
    let small = Raster<UInt8>(width: 7, height: 40, filledWith: 0)
    let other = picture(from: 0, 255)
    differences.compare(other.plane, with: earlier.plane)
    differences.compare(small.plane, with: small.plane)
    #expect((differences.greatest, differences.median) == (0, 0))
    withExtendedLifetime((other, small)) {}
  }
}
