import TestSupport
import Testing

@Suite(.everyInstructionSet) struct FadeRowTests {
  @Test(arguments: [0, 1, 100, 128, 255, 256])
  func mixesByTheFormula(weight: Int) {
    for row in RowCase.all {
      let frame = row.bytes(row.width, salt: 1)
      let person = (row.bytes(row.width, salt: 2), row.bytes(row.width, salt: 3))
      let alpha = (row.bytes(row.width, salt: 6), row.bytes(row.width, salt: 7))
      let expected = (0..<row.width).map { i in
        faded(
          frame[i], person: mean(person.0[i], person.1[i], weight),
          alpha: mean(alpha.0[i], alpha.1[i], 256 - weight))
      }
      unsafe kernels.fadeRow(
        frame.base, person.0.base, person.1.base, weight, alpha.0.base, alpha.1.base, 256 - weight,
        row.width)
      #expect(frame.samples == expected, "\(row)")
      #expect(frame.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: 0...255 as ClosedRange<UInt8>) func isExactForEveryAlpha(alpha: UInt8) {
    for person in [0, 16, 100, 235, 255] as [UInt8] {
      let frame = SampleRow<UInt8>(Array(0...255), at: .pageEnd)
      fade(frame, person: person, alpha: alpha)
      #expect(frame.samples == (0...255).map { faded($0, person: person, alpha: alpha) })
    }
  }

  private func fade(_ frame: SampleRow<UInt8>, person: UInt8, alpha: UInt8) {
    func row(_ value: UInt8) -> SampleRow<UInt8> {
      SampleRow(Array(repeating: value, count: frame.count), at: .pageEnd)
    }
    let (person, alpha) = (row(person), row(alpha))
    unsafe kernels.fadeRow(
      frame.base, person.base, person.base, 0, alpha.base, alpha.base, 0, frame.count)
  }

  private func faded(_ sample: UInt8, person: UInt8, alpha: UInt8) -> UInt8 {
    let share = min(max(4 * (Int(alpha) - 127), 0), 255)
    return UInt8((2 * (Int(sample) * share + Int(person) * (255 - share)) + 255) / 510)
  }

  private func mean(_ top: UInt8, _ bottom: UInt8, _ weight: Int) -> UInt8 {
    UInt8((Int(top) * (256 - weight) + Int(bottom) * weight + 128) / 256)
  }
}
