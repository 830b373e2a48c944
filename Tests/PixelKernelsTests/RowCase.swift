import TestSupport

/// The contents of a test row.
enum Contents: CaseIterable {
  case zeros
  case greatest
  case alternating
  case random
}

/// A width, content and memory placement for testing a kernel.
struct RowCase: CustomStringConvertible {
  let width: Int
  let contents: Contents
  let placement: RowPlacement

  /// Widths 0 to 70, which cover every start and end of vectorised loops, and a full row.
  static let all = cases(widths: Array(0...70) + [1920])

  /// A few widths near the sizes of vectors and chunks, for tests that vary other parameters, too.
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

  /// Returns a row of `count` bytes.
  ///
  /// The bytes differ for each `salt` if the contents allow it.
  func bytes(_ count: Int, salt: UInt64) -> SampleRow<UInt8> {
    SampleRow(byteValues(count, salt: salt), at: placement)
  }

  /// Returns the values of `bytes(_:salt:)`.
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

  /// Returns a row of `count` floats in `range`, by the same rule as `bytes`.
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

  /// Returns a row for results, in which the kernel must overwrite each sample.
  func row<Sample: BitwiseCopyable>(repeating value: Sample, _ count: Int) -> SampleRow<Sample> {
    SampleRow(Array(repeating: value, count: count), at: placement)
  }

  /// Returns a row of these samples, with this case's placement.
  func row<Sample: BitwiseCopyable>(_ samples: [Sample]) -> SampleRow<Sample> {
    SampleRow(samples, at: placement)
  }
}

/// Returns the nearest integer as a byte, with halves rounded up.
func rounded(_ value: Double) -> UInt8 {
  UInt8((value + 0.5).rounded(.down))
}

/// Returns whether every float is within `tolerance` of its exact value.
func isClose(_ values: [Float], to exact: [Double], within tolerance: Double) -> Bool {
  values.count == exact.count
    && zip(values, exact).allSatisfy { abs(Double($0) - $1) <= tolerance }
}
