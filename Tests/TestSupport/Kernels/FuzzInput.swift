/// Turns the bytes of a fuzzer into choices.
///
/// Every input is valid, and a small change of the bytes is a small change of the choices. All
/// bytes after the last one are 0.
package struct FuzzInput {
  private var bytes: ArraySlice<UInt8>
  /// The number of samples per row, or nil if the bytes choose it.
  package var width: Int?
  /// Whether all samples are random.
  ///
  /// Otherwise the bytes choose simpler rows, too.
  package var isRandom = false

  /// Creates an input that consumes `bytes`.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  /// Whether all bytes were used.
  package var isAtEnd: Bool { bytes.isEmpty }

  /// The next byte.
  package mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// A truth value from the next byte.
  package mutating func flag() -> Bool { byte() & 1 == 1 }

  /// True about once in `times` calls.
  package mutating func flag(onceIn times: Int) -> Bool { integer(in: 0...times - 1) == times - 1 }

  /// A number of `count` bytes, the lowest byte first.
  package mutating func word(bytes count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(byte()) << (8 * $1) }
  }

  /// A number of a range.
  ///
  /// Uses no more bytes than its width needs.
  package mutating func integer(in range: ClosedRange<Int>) -> Int {
    let span = UInt64(range.upperBound - range.lowerBound)
    if span == 0 { return range.lowerBound }
    let count = (64 - span.leadingZeroBitCount + 7) / 8
    let word = word(bytes: count)
    return range.lowerBound + Int(span == .max ? word : word % (span + 1))
  }

  /// One of several values.
  package mutating func choice<Value>(_ values: [Value]) -> Value {
    values[integer(in: 0...values.count - 1)]
  }

  /// Any float: an edge case of arithmetic, any bits, or a number of 0 to 1.
  package mutating func float() -> Float {
    let kind = Int(byte())
    switch kind {
    case Self.floats.indices: return Self.floats[kind]
    case 32..<96: return Float(bitPattern: UInt32(word(bytes: 4)))
    default: return Float(kind - 96) / 159
    }
  }

  package mutating func finiteFloat() -> Float {
    let float = float()
    return float.isFinite ? float : 0
  }

  /// Any double, chosen like `float`.
  package mutating func double() -> Double {
    let kind = Int(byte())
    switch kind {
    case Self.floats.indices: return Double(Self.floats[kind])
    case 32..<64: return Double(bitPattern: word(bytes: 8))
    case 64..<96: return Double(integer(in: -1000...1000)) / 8
    default: return Double(kind - 96) / 159
    }
  }

  private static let floats: [Float] = [
    0, -0, 1, -1, 0.5, 0.25, 2, 127.5, 255, 256, -255, 1e-3, 1e-6, 1e6, 65536, 1e9, .nan, .infinity,
    -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
    -.leastNonzeroMagnitude, .leastNormalMagnitude, 8_388_608, 8_388_607.5, 2_147_483_648, 1e20,
  ]

  /// `count` bytes from few input bytes: equal, alternating, a short pattern, or random.
  package mutating func fill(_ count: Int) -> [UInt8] {
    let kind = byte() % 8
    switch isRandom ? 7 : kind {
    case 0: return Array(repeating: 0, count: count)
    case 1: return Array(repeating: 255, count: count)
    case 2: return (0..<count).map { $0 % 2 == 0 ? 0 : 255 }
    case 3: return Array(repeating: byte(), count: count)
    case 4, 5:
      let pattern = (0..<integer(in: 2...17)).map { _ in byte() }
      return (0..<count).map { pattern[$0 % pattern.count] }
    default:
      var generator = SeededGenerator(seed: word(bytes: 2))
      return generator.bytes(count)
    }
  }

  /// `count` floats from few input bytes.
  package mutating func floats(_ count: Int, finite: Bool = false) -> [Float] {
    if isRandom {
      var generator = SeededGenerator(seed: word(bytes: 2))
      return generator.floats(count, in: choice([-0.5...1.5, -20...300]))
    }
    let pattern = (0..<integer(in: 1...24)).map { _ in finite ? finiteFloat() : float() }
    return (0..<count).map { pattern[$0 % pattern.count] }
  }

  /// A number of samples, usually near the width of a vector.
  mutating func sampleCount() -> Int {
    let count = flag() ? integer(in: 0...70) : integer(in: 0...700)
    return width ?? count
  }

  /// Rows of bytes.
  mutating func rows(_ number: Int, of count: Int) -> [[UInt8]] {
    (0..<number).map { _ in fill(count) }
  }

  /// Samples of two bytes.
  mutating func words(_ count: Int) -> [UInt16] {
    let bytes = fill(2 * count)
    return (0..<count).map { UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8 }
  }

  /// The output row of a kernel that may overwrite its inputs: one of the two, or a third row.
  mutating func outputPlace() -> Int { flag() ? 2 : integer(in: 0...1) }

  /// The unused bytes.
  package mutating func rest() -> [UInt8] {
    defer { bytes = [] }
    return Array(bytes)
  }
}
