import Testing

@testable import vbgfilter_bench

@Suite struct StageChartTests {
  /// The values of an attribute of the elements that have a colour.
  static func values(of attribute: String, in svg: String, fill: String) -> [Double] {
    svg.split(separator: "\n").filter { $0.contains("<rect") && $0.contains("fill=\"\(fill)\"") }
      .compactMap { line in
        line.components(after: " \(attribute)=\"").flatMap { Double($0) }
      }
  }

  @Test func barsAreAsLongAsTheirTimes() throws {
    let svg = StageChart(costs: [try ReportTests.cost(.p1080, .baseline, pixels: 4)]).svg
    // Each colour occurs once in the legend and then in the bar. The inference also occurs in its
    // limit.
    let composite = Self.values(of: "width", in: svg, fill: "#2da44e").dropFirst()
    let inference = Self.values(of: "width", in: svg, fill: "#8c959f").dropFirst(2)
    let copy = Self.values(of: "width", in: svg, fill: "#24292f").dropFirst()
    #expect(composite.count == 1)
    #expect(inference.count == 2)
    #expect(copy.count == 1)
    let two = try #require(composite.first)
    #expect(inference.allSatisfy { abs($0 - two) < 0.2 })
    #expect(abs(try #require(copy.first) - two / 2) < 0.2)
  }

  @Test func onlyTheWidestInstructionSetIsShown() throws {
    let svg = StageChart(costs: [
      try ReportTests.cost(.p720, .baseline, pixels: 4),
      try ReportTests.cost(.p720, .avx512, pixels: 1),
    ]).svg
    #expect(svg.contains("avx512"))
    #expect(svg.contains("3.00 ms"))
    #expect(!svg.contains("6.00 ms"))
  }

  @Test func everyElementIsClosed() throws {
    let svg = StageChart(costs: [try ReportTests.cost(.p360, .baseline, pixels: 0.01)]).svg
    var open: [Substring] = []
    for part in svg.split(separator: "<") {
      let tag = part.prefix { $0 != ">" }
      #expect(part.contains(">"))
      if tag.hasPrefix("/") {
        #expect(open.popLast() == tag.dropFirst())
      } else if !tag.hasSuffix("/") {
        open.append(tag.prefix { $0 != " " && $0 != "\n" })
      }
    }
    #expect(open.isEmpty)
  }

  @Test(arguments: [(0.85, 0.2), (8.0, 1), (8.1, 2), (38, 5), (41, 10), (120, 20)])
  func marksAreRoundNumbers(longest: Double, step: Double) {
    #expect(abs(StageChart.tick(for: longest) - step) < step * 1e-9)
  }
}

extension StringProtocol {
  /// The text between `prefix` and the next quotation mark.
  fileprivate func components(after prefix: String) -> String? {
    var rest = self[...]
    while !rest.isEmpty, !rest.hasPrefix(prefix) { rest.removeFirst() }
    return rest.isEmpty ? nil : String(rest.dropFirst(prefix.count).prefix { $0 != "\"" })
  }
}
