/// A row of samples that a kernel reads or writes, before and after the call.
package struct KernelRow {
  package let before: [UInt8]
  /// The specified bytes, or nil for memory that a kernel may use as it likes.
  private let after: [UInt8]?
  private let isFloat: Bool

  private init<Sample>(_ before: [UInt8], _ after: [UInt8]?, of type: Sample.Type) {
    (self.before, self.after, isFloat) = (before, after, type == Float.self)
  }

  /// A row that must not change, or must become the given samples.
  init<Sample: BitwiseCopyable>(_ samples: [Sample], becomes result: [Sample]? = nil) {
    self.init(Self.bytes(samples), Self.bytes(result ?? samples), of: Sample.self)
  }

  /// A row of which the kernel must overwrite each sample.
  init<Sample: BitwiseCopyable>(result: [Sample]) {
    let after = Self.bytes(result)
    self.init(Array(repeating: 7, count: after.count), after, of: Sample.self)
  }

  /// Memory for intermediate results.
  init(memory count: Int) {
    self.init(Self.bytes([Float](repeating: 7, count: count)), nil, of: Float.self)
  }

  private static func bytes<Sample: BitwiseCopyable>(_ samples: [Sample]) -> [UInt8] {
    unsafe samples.withUnsafeBytes { unsafe Array($0) }
  }

  /// Whether a kernel gave the specified samples, where both zeros are equal.
  func isSpecified(_ found: [UInt8]) -> Bool {
    guard let after else { return true }
    return areEqual(found, after) { $0 == $1 }
  }

  /// Whether two kernels gave the same bits, where all NaNs are equal.
  func areSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    areEqual(a, b) { $0.bitPattern == $1.bitPattern }
  }

  private func areEqual(_ a: [UInt8], _ b: [UInt8], _ floats: (Float, Float) -> Bool) -> Bool {
    if a == b { return true }
    guard isFloat, a.count == b.count else { return false }
    func float(_ bytes: [UInt8], _ at: Int) -> Float {
      unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: at, as: Float.self) }
    }
    return stride(from: 0, to: a.count, by: 4).allSatisfy { at in
      let (x, y) = (float(a, at), float(b, at))
      return floats(x, y) || (x.isNaN && y.isNaN)
    }
  }
}
