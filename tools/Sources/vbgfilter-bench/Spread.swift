/// The median and mean of a set of measurements, and their tenth and ninetieth percentiles.
struct Spread: Equatable {
  var median: Double
  var mean: Double
  /// The tenth percentile.
  var low: Double
  /// The ninetieth percentile.
  var high: Double

  /// Computes the spread of `values`, or returns nil if there are none.
  ///
  /// A quantile between two values is interpolated, for example the median of an even number of
  /// values.
  init?(of values: [Double]) {
    let sorted = values.sorted()
    guard let last = sorted.indices.last else { return nil }
    func quantile(_ part: Double) -> Double {
      let position = part * Double(last)
      let below = Int(position)
      let above = min(below + 1, last)
      return sorted[below] + (position - Double(below)) * (sorted[above] - sorted[below])
    }
    median = quantile(0.5)
    mean = values.reduce(0, +) / Double(values.count)
    low = quantile(0.1)
    high = quantile(0.9)
  }
}

extension Spread: JSONConvertible {
  var json: JSON {
    [
      "median": .number(median), "mean": .number(mean), "p10": .number(low), "p90": .number(high),
    ]
  }
}
