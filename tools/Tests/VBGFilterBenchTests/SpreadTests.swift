import Testing

@testable import vbgfilter_bench

@Suite struct SpreadTests {
  @Test func noMeasurementsHaveNoSpread() {
    #expect(Spread(of: []) == nil)
  }

  @Test func aSingleMeasurementIsItsOwnSpread() throws {
    let spread = try #require(Spread(of: [7]))
    #expect(spread.median == 7)
    #expect(spread.low == 7)
    #expect(spread.high == 7)
  }

  @Test func theOrderDoesNotMatter() throws {
    let spread = try #require(Spread(of: [4, 10, 0, 2, 6, 8, 3, 1, 9, 7, 5]))
    #expect(spread.median == 5)
    #expect(spread.mean == 5)
    #expect(spread.low == 1)
    #expect(spread.high == 9)
  }

  @Test func betweenTwoMeasurementsItInterpolates() throws {
    let spread = try #require(Spread(of: [1, 2]))
    #expect(spread.median == 1.5)
    #expect(spread.mean == 1.5)
    #expect(abs(spread.low - 1.1) < 1e-12)
    #expect(abs(spread.high - 1.9) < 1e-12)
  }

  @Test func aSlowFrameDoesNotMoveTheMedian() throws {
    let spread = try #require(Spread(of: [1, 1, 1, 1, 1000]))
    #expect(spread.median == 1)
  }
}
