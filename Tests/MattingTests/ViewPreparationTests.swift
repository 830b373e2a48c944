import PixelTypes
import Processor
import TestSupport
import Testing

@testable import Matting

@Suite struct ViewPreparationTests {
  private static let side = 32
  private static let colorimetry = Colorimetry(matrix: .bt709, range: .limited)
  /// The maximum extent of a part outside the frame, in pixels.
  private static let border = 128

  /// A picture of four colours, in squares of 48 pixels: wider than a sample of the tensor.
  ///
  /// `border` is the width of a border that repeats the picture's edge.
  private func picture(_ width: Int, _ height: Int, border: Int) -> TestPicture {
    let picture = TestPicture(
      format: FrameFormat(
        width: width + 2 * border, height: height + 2 * border, colorimetry: Self.colorimetry),
      padding: 7)
    func band(_ position: Int, _ extent: Int) -> Int {
      min(max(position - border, 0), extent - 1) / 48 % 2
    }
    for (column, row) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
      picture.paint(
        red: column == 0 ? 30 : 220, green: row == 0 ? 60 : 200, blue: 90
      ) { band($0, width) == column && band($1, height) == row }
    }
    return picture
  }

  private func tensor(_ part: PixelRegion, of picture: TestPicture) -> [Float] {
    let format = TensorFormat(
      width: Self.side, height: Self.side, layout: .interleaved, fit: .stretch,
      range: SampleRange(low: -1, high: 1))
    let preparation = ViewPreparation(format: picture.format, tensor: format)
    var values = [Float](repeating: .nan, count: 3 * Self.side * Self.side)
    unsafe values.withUnsafeMutableBufferPointer { values in
      if let base = values.baseAddress {
        unsafe preparation.fill(base, with: part, of: picture.frame)
      }
    }
    return values
  }

  @Test(
    "repeats the frame's edge outside of it", arguments: InstructionSet.available, [32, 50, 128])
  func repeatsTheEdge(instructions: InstructionSet, side: Int) {
    let (width, height) = (322, 241)
    let (small, large) = (
      picture(width, height, border: 0), picture(width, height, border: Self.border)
    )
    for x in [-side + 1, -side / 2, -1, 100, width - side / 2, width - 1] {
      for y in [-side + 1, -side / 2, 0, height - side / 3, height - 1] {
        let part = PixelRegion(x: x, y: y, width: side, height: side)
        var moved = part
        moved.x += Self.border
        moved.y += Self.border
        let found = instructions.run { tensor(part, of: small) }
        let expected = instructions.run { tensor(moved, of: large) }
        let difference = zip(found, expected).map { abs($0 - $1) }.max() ?? .nan
        #expect(difference < 0.1, "at \(x), \(y): \(difference)")
      }
    }
    #expect(small.paddingIsIntact)
  }
}
