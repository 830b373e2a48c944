import TestSupport
import Testing

@Suite(.everyInstructionSet) struct DespillRowTests {
  @Test(arguments: [0, 1, 100, 128, 255, 256])
  func movesEachSampleByTheFormula(weight: Int) {
    for row in RowCase.all {
      let frame = row.bytes(row.width, salt: 1)
      let person = (row.bytes(row.width, salt: 2), row.bytes(row.width, salt: 3))
      let room = (row.bytes(row.width, salt: 4), row.bytes(row.width, salt: 5))
      let alpha = (row.bytes(row.width, salt: 6), row.bytes(row.width, salt: 7))
      let expected = (0..<row.width).map { i in
        despilled(
          frame[i],
          person: mean(person.0[i], person.1[i], weight),
          room: mean(room.0[i], room.1[i], weight),
          alpha: mean(alpha.0[i], alpha.1[i], 256 - weight))
      }
      unsafe kernels.despillRow(
        frame.base, person.0.base, person.1.base, room.0.base, room.1.base, weight, alpha.0.base,
        alpha.1.base, 256 - weight, row.width)
      #expect(frame.samples == expected, "\(row)")
      #expect(frame.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: [0, 40, 128, 200, 255] as [UInt8], [0, 1, 90, 128, 254, 255] as [UInt8])
  func isExactForEveryPairOfBytes(person: UInt8, alpha: UInt8) {
    for room in 0...255 as ClosedRange<UInt8> {
      let frame = SampleRow<UInt8>(Array(0...255), at: .pageEnd)
      despill(frame, person: person, room: room, alpha: alpha)
      #expect(
        frame.samples
          == (0...255).map { despilled($0, person: person, room: room, alpha: alpha) })
    }
  }

  @Test func nothingMovesAwayFromTheRoomBeyondThePerson() {
    let frame = SampleRow([150, 200, 250] as [UInt8], at: .pageEnd)
    despill(frame, person: 180, room: 20, alpha: 0)
    #expect(frame.samples == [180, 200, 250])
  }

  private func despill(_ frame: SampleRow<UInt8>, person: UInt8, room: UInt8, alpha: UInt8) {
    func row(_ value: UInt8) -> SampleRow<UInt8> {
      SampleRow(Array(repeating: value, count: frame.count), at: .pageEnd)
    }
    let (person, room, alpha) = (row(person), row(room), row(alpha))
    unsafe kernels.despillRow(
      frame.base, person.base, person.base, room.base, room.base, 0, alpha.base, alpha.base, 0,
      frame.count)
  }

  private func despilled(_ sample: UInt8, person: UInt8, room: UInt8, alpha: UInt8) -> UInt8 {
    let (sample, person, room) = (Int(sample), Int(person), Int(room))
    let share = (2 * abs(person - room) * (255 - Int(alpha)) + 255) / 510
    if person > room, person > sample { return UInt8(min(sample + share, person)) }
    if person < room, person < sample { return UInt8(max(sample - share, person)) }
    return UInt8(sample)
  }

  private func mean(_ top: UInt8, _ bottom: UInt8, _ weight: Int) -> UInt8 {
    UInt8((Int(top) * (256 - weight) + Int(bottom) * weight + 128) / 256)
  }
}
