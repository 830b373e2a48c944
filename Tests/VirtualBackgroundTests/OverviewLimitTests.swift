import InferenceTypes
import PixelTypes
import Processor
import TestSupport
import Testing

@testable import Matting

@Suite struct OverviewLimitTests {
  private let format = FrameFormat(
    width: 128, height: 72, colorimetry: Colorimetry(matrix: .bt709, range: .limited))

  /// The limit of an overview that sees a person in columns 32 to 63.
  private func limit() throws -> OverviewLimit {
    let kernels = InstructionSet.current.kernels
    let grid = MatteGrid(format: format, shift: 0)
    let fake = FakeSegmenter(
      format: TensorFormat(width: 128, height: 72, layout: .planar, fit: .stretch))
    let overview = SegmentationStage(
      fake, format: format, leastShift: 0, grid: grid, exposure: Exposure(format.colorimetry),
      runningInferences: RunningInferences(), kernels: kernels)
    let picture = TestPicture(format: format, padding: 0)
    picture.paint(red: 20, green: 60, blue: 220)
    picture.paint(red: 200, green: 30, blue: 40) { x, _ in 32..<64 ~= x }
    var clock = StageClock()
    try withExtendedLifetime(picture) {
      try overview.infer(
        PixelRegion(wholeOf: format), of: picture.frame, shift: 0, clock: &clock)
    }
    let limit = OverviewLimit(grid: grid, kernels: kernels)
    limit.take(overview)
    return limit
  }

  /// A row of what is left of a close-up that sees people in `columns`.
  private func row(_ limit: OverviewLimit, _ columns: Range<Int>...) -> [UInt8] {
    let closeUp = Raster<UInt8>(width: 128, height: 72, filledWith: 0)
    for y in 0..<72 {
      for x in 0..<128 where columns.contains(where: { $0 ~= x }) {
        unsafe closeUp.row(y)[x] = 240
      }
    }
    limit.apply(to: closeUp)
    return (0..<128).map { unsafe closeUp.row(36)[$0] }
  }

  @Test func whatTheOverviewSeesNobodyInIsRoom() throws {
    let row = row(try limit(), 32..<64, 90..<94)
    #expect(row[32..<64].allSatisfy { $0 == 240 })
    #expect(row[64...].allSatisfy { $0 == 0 })
  }

  @Test func theOverviewsEdgeIsUncertain() throws {
    let row = row(try limit(), 30..<66)
    #expect(row[30..<66].allSatisfy { $0 == 240 })
  }

  @Test func anOverviewThatOverlooksPeopleLimitsNothing() throws {
    let row = row(try limit(), 32..<64, 80..<120)
    #expect(row[80..<120].allSatisfy { $0 == 240 })
  }

  @Test func theNextFrameHasTheSameLimit() throws {
    let limit = try limit()
    let first = row(limit, 32..<64, 90..<94)
    #expect(row(limit, 32..<64, 90..<94) == first)
  }
}
