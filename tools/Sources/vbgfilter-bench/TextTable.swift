/// A table for a terminal, with words aligned to the left and numbers aligned to the right.
struct TextTable {
  /// The names of the columns.
  var header: [String]
  /// The cells by row, with a cell for each column.
  var rows: [[String]] = []
  /// The number of columns with words, which come first.
  var words: Int

  /// The text of the table, without a newline at the end.
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

  /// The number as text, with about three significant digits.
  var milliseconds: String { written(digits: magnitude < 1 ? 3 : magnitude < 100 ? 2 : 1) }
}

extension Spread {
  /// Returns the tenth and the ninetieth percentile as text.
  func range(digits: Int) -> String {
    "\(low.written(digits: digits))-\(high.written(digits: digits))"
  }
}
