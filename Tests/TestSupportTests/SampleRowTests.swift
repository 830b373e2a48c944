import TestSupport
import Testing

@Suite struct SampleRowTests {
  @Test(arguments: RowPlacement.allCases, [0, 1, 16, 63, 64, 65])
  func aRowHoldsItsSamplesWhereItSays(placement: RowPlacement, count: Int) {
    let samples = (0..<count).map { Float($0) }
    let row = SampleRow(samples, at: placement)
    #expect(row.samples == samples)
    #expect(row.isBorderIntact)
    let address = unsafe UInt(bitPattern: row.base)
    switch placement {
    case .aligned: #expect(address % 64 == 0)
    case .unaligned: #expect(address % 64 == 4)
    case .pageEnd: #expect((address + UInt(4 * count)) % 4096 == 0)
    }
  }

  @Test(arguments: RowPlacement.allCases)
  func aWriteBeforeTheFirstSampleShows(placement: RowPlacement) {
    let row = SampleRow<UInt8>([1, 2, 3], at: placement)
    unsafe row.base[-1] = 0
    #expect(!row.isBorderIntact)
    #expect(row.samples == [1, 2, 3])
  }

  @Test(arguments: [RowPlacement.aligned, .unaligned])
  func aWriteAfterTheLastSampleShows(placement: RowPlacement) {
    let row = SampleRow<UInt8>([1, 2, 3], at: placement)
    unsafe row.base[3] = 0
    #expect(!row.isBorderIntact)
    #expect(row.samples == [1, 2, 3])
  }
}
