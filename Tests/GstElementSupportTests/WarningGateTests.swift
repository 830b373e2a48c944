import GstElementSupport
import Testing

@Suite struct WarningGateTests {
  @Test func aWarningComesAtMostOnceInTenSeconds() {
    var gate = WarningGate()
    #expect(gate.admit("one", at: 5) == "one")
    #expect(gate.admit("one", at: 6) == nil)
    #expect(gate.admit("one", at: 9_999_999) == nil)
    #expect(gate.admit("two", at: 10_000_000) == "two (and 2 more since the last warning)")
    #expect(gate.admit("one", at: 10_000_005) == "one")
    #expect(gate.admit("one", at: 20_000_005) == "one")
  }

  @Test func atMostFiveWarningsComeInTenSeconds() {
    var gate = WarningGate()
    for second in 0..<25 {
      let warning = gate.admit("frame \(second)", at: Int64(second) * 1_000_000)
      #expect((warning != nil) == (second % 10 < 5), "\(second)")
    }
  }
}
