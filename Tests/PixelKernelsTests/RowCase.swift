import TestSupport

/// What a test row holds.
enum Contents: CaseIterable {
  case zeros
  case greatest
  case alternating
  case random
}

/// One width, content and place in memory that every kernel is tried with.
struct RowCase: CustomStringConvertible {
  let width: Int
  let contents: Contents
  let placement: RowPlacement

  /// Widths 0 to 70, where vectorised loops begin and end in all ways, and a whole row.
  static let all = cases(widths: Array(0...70) + [1920])

  /// A few widths around those of vectors and chunks, for tests that vary more than the row.
  static let some = cases(widths: [0, 1, 2, 7, 16, 33, 63, 64, 65, 129, 300])

  private static func cases(widths: [Int]) -> [RowCase] {
    widths.flatMap { width in
      Contents.allCases.flatMap { contents in
        RowPlacement.allCases.map {
          RowCase(width: width, contents: contents, placement: $0)
        }
      }
    }
  }

  var description: String { "\(TestedKernels.set), \(width) \(contents) samples, \(placement)" }

  /// A row of `count` bytes, different for each `salt` where the contents allow it.
  func bytes(_ count: Int, salt: UInt64) -> SampleRow<UInt8> {
    SampleRow(byteValues(count, salt: salt), at: placement)
  }

  /// The values of `bytes(_:salt:)`.
  func byteValues(_ count: Int, salt: UInt64) -> [UInt8] {
    switch contents {
    case .zeros: return Array(repeating: 0, count: count)
    case .greatest: return Array(repeating: 255, count: count)
    case .alternating: return (0..<count).map { ($0 + Int(salt)) % 2 == 0 ? 0 : 255 }
    case .random:
      var generator = SeededGenerator(seed: salt)
      return generator.bytes(count)
    }
  }

  /// A row of `count` floats in `range`, by the same rule as `bytes`.
  func floats(
    _ count: Int, salt: UInt64, in range: ClosedRange<Float> = 0...1
  ) -> SampleRow<Float> {
    let (low, high) = (range.lowerBound, range.upperBound)
    switch contents {
    case .zeros: return row(repeating: low, count)
    case .greatest: return row(repeating: high, count)
    case .alternating: return row((0..<count).map { ($0 + Int(salt)) % 2 == 0 ? low : high })
    case .random:
      var generator = SeededGenerator(seed: salt)
      return row(generator.floats(count, in: range))
    }
  }

  /// A row for results: the kernel has to write each sample of it.
  func row<Sample: BitwiseCopyable>(repeating value: Sample, _ count: Int) -> SampleRow<Sample> {
    SampleRow(Array(repeating: value, count: count), at: placement)
  }

  /// A row of these samples, at this case's place.
  func row<Sample: BitwiseCopyable>(_ samples: [Sample]) -> SampleRow<Sample> {
    SampleRow(samples, at: placement)
  }
}

/// The nearest integer, halves up, as a byte.
func rounded(_ value: Double) -> UInt8 {
  UInt8((value + 0.5).rounded(.down))
}

/// Whether every float lies within `tolerance` of its exact value.
func isClose(_ values: [Float], to exact: [Double], within tolerance: Double) -> Bool {
  values.count == exact.count
    && zip(values, exact).allSatisfy { abs(Double($0) - $1) <= tolerance }
}
