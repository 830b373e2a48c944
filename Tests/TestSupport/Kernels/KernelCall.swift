import PixelTypes
import Processor

/// A call of a row kernel, with the specified results.
///
/// Unit tests and the fuzzer share these specifications, which repeat the formulas in the comments
/// of `RowKernels`.
package struct KernelCall {
  /// A kernel by its name.
  package struct Kernel: Sendable, CustomStringConvertible {
    package let description: String
    /// Makes a call with arguments within the limits of the kernel's comment.
    package let call: @Sendable (inout FuzzInput) -> KernelCall

    init(_ name: String, _ call: @escaping @Sendable (inout FuzzInput) -> KernelCall) {
      (description, self.call) = (name, call)
    }
  }

  package static let all: [Kernel] =
    shrinking + tensor + matte + composition + blur + layouts + lens + lowLight

  private let rows: [KernelRow]
  private let run: (any RowKernels.Type, [RowPlace]) -> Void

  /// Creates a call with rows of bytes that the kernel only reads, followed by the other rows.
  init(
    _ sources: [[UInt8]], _ others: [KernelRow],
    _ run: @escaping (any RowKernels.Type, [RowPlace]) -> Void
  ) {
    self.init(sources.map { KernelRow($0) } + others, run)
  }

  init(_ rows: [KernelRow], _ run: @escaping (any RowKernels.Type, [RowPlace]) -> Void) {
    (self.rows, self.run) = (rows, run)
  }

  /// Runs the kernel of each instruction set, and describes the first violation.
  ///
  /// The samples must be the specified ones, and the same bits in each set. A kernel that accesses
  /// a byte beyond one end of its rows crashes.
  package func violation(isAtEnd: Bool) -> String? {
    var first: [[UInt8]] = []
    for set in InstructionSet.available {
      let memory = GuardedRows(rows.map(\.before), isAtEnd: isAtEnd)
      run(set.kernels, memory.places)
      let found = memory.contents
      if first.isEmpty { first = found }
      for (index, row) in rows.enumerated() {
        if !row.isSpecified(found[index]) { return "\(set) changed row \(index) incorrectly" }
        if !row.areSame(found[index], first[index]) {
          return "row \(index) of \(set) differs from \(InstructionSet.available[0])"
        }
      }
    }
    return nil
  }
}
