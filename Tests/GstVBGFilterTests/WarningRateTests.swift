import Testing

@testable import GstVBGFilter

@Suite struct WarningRateTests {
  @Test func oneWarningGoesOutInTenSeconds() {
    let second: UInt64 = 1_000_000_000
    var rate = WarningRate()
    let times = [0, 1, 5, 9, 10, 11, 19, 20, 100].map { UInt64($0) * second }
    #expect(
      times.map { rate.allows(at: $0) } == [
        true, false, false, false, true, false, false, true, true,
      ])
  }

  @Test func aClockThatGoesBackDoesNotSilenceWarnings() {
    var rate = WarningRate()
    let answers = [50_000_000_000, 3].map { rate.allows(at: $0) }
    #expect(answers == [true, true])
  }
}
