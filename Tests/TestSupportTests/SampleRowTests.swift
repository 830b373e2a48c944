import TestSupport
import Testing

@Suite struct SampleRowTests {
  @Test(
    "stores samples at the requested placement", arguments: RowPlacement.allCases,
    [0, 1, 16, 63, 64, 65])
  func storesSamples(placement: RowPlacement, count: Int) {
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

  @Test(
    "detects a write before the first sample", arguments: RowPlacement.allCases)
  func writeBefore(placement: RowPlacement) {
    let row = SampleRow<UInt8>([1, 2, 3], at: placement)
    unsafe row.base[-1] = 0
    #expect(!row.isBorderIntact)
    #expect(row.samples == [1, 2, 3])
  }

  @Test(
    "detects a write after the last sample", arguments: [RowPlacement.aligned, .unaligned])
  func writeAfter(placement: RowPlacement) {
    let row = SampleRow<UInt8>([1, 2, 3], at: placement)
    unsafe row.base[3] = 0
    #expect(!row.isBorderIntact)
    #expect(row.samples == [1, 2, 3])
  }
}
