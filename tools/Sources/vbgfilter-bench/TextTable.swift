/// A table for a terminal: words to the left, numbers to the right.
struct TextTable {
  /// The columns' names.
  var header: [String]
  /// The cells, as many in each row as there are columns.
  var rows: [[String]] = []
  /// The number of columns with words, from the left.
  var words: Int

  /// The lines, without a newline at the end.
  var text: String {
    let all = [header] + rows
    let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += column == 0 ? "" : "  "
        line += column < words ? cell + padding : padding + cell
      }
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

extension Double {
  /// Returns the number with `digits` digits after the point, or "-" if it is not finite or too
  /// large.
  func written(digits: Int) -> String {
    guard isFinite, magnitude < 1e9 else { return "-" }
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = Int((magnitude * scale).rounded())
    let sign = self < 0 && scaled != 0 ? "-" : ""
    if digits == 0 { return sign + String(scaled) }
    let fraction = String(scaled % Int(scale))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(sign)\(scaled / Int(scale)).\(zeros)\(fraction)"
  }

  /// About three significant digits.
  var milliseconds: String { written(digits: magnitude < 1 ? 3 : magnitude < 100 ? 2 : 1) }
}

extension Spread {
  /// The tenth and the ninetieth percentile.
  func range(digits: Int) -> String {
    "\(low.written(digits: digits))-\(high.written(digits: digits))"
  }
}
