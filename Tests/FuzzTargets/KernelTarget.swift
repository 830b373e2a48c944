import PixelTypes
import Processor

extension FuzzTarget {
  /// Runs one kernel on any samples with each instruction set.
  ///
  /// The results must have the same bits, and no byte outside the samples may be accessed.
  func compareKernels(_ bytes: [UInt8]) throws(Finding) {
    var input = FuzzInput(bytes)
    let kernel = input.choice(KernelCall.all)
    let isAtEnd = input.flag()
    let call = kernel.make(&input)
    var expected: [[UInt8]] = []
    for set in InstructionSet.available {
      let rows = GuardedRows(call.rows, isAtEnd: isAtEnd)
      call.run(set.kernels, rows.places)
      let found = rows.contents
      if expected.isEmpty { expected = found }
      for index in found.indices {
        try expect(
          call.rows[index].isFloat
            ? Self.sameFloats(found[index], expected[index])
            : found[index] == expected[index],
          "\(kernel.name): row \(index) of \(set) differs from \(InstructionSet.available[0])")
      }
    }
  }

  /// Whether floats have the same bits.
  ///
  /// All NaNs are equal.
  private static func sameFloats(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    func float(_ bytes: [UInt8], _ at: Int) -> Float {
      unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: at, as: Float.self) }
    }
    return stride(from: 0, to: a.count, by: 4).allSatisfy { at in
      let (x, y) = (float(a, at), float(b, at))
      return x.bitPattern == y.bitPattern || (x.isNaN && y.isNaN)
    }
  }
}

/// A row of samples that a kernel reads or writes.
struct KernelRow {
  let bytes: [UInt8]
  let isFloat: Bool

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isFloat = false
  }

  init<Sample: BitwiseCopyable>(_ samples: [Sample]) {
    bytes = unsafe samples.withUnsafeBytes { unsafe Array($0) }
    isFloat = Sample.self == Float.self
  }
}

/// A kernel with its arguments.
struct KernelCall {
  /// The memory of the rows while it runs.
  typealias Places = [RowPlace]

  let rows: [KernelRow]
  let run: (any RowKernels.Type, Places) -> Void

  init(_ rows: [KernelRow], _ run: @escaping (any RowKernels.Type, Places) -> Void) {
    self.rows = rows
    self.run = run
  }
}

/// The address of a row, with samples of the type that the kernel expects.
///
/// Safety: the creator owns the memory, and must keep it while this is used.
@safe struct RowPlace {
  let start: UnsafeMutableRawPointer

  var bytes: UnsafeMutablePointer<UInt8> { unsafe start.assumingMemoryBound(to: UInt8.self) }
  var words: UnsafeMutablePointer<UInt16> { unsafe start.assumingMemoryBound(to: UInt16.self) }
  var int16s: UnsafeMutablePointer<Int16> { unsafe start.assumingMemoryBound(to: Int16.self) }
  var floats: UnsafeMutablePointer<Float> { unsafe start.assumingMemoryBound(to: Float.self) }
  var integers: UnsafeMutablePointer<Int> { unsafe start.assumingMemoryBound(to: Int.self) }
  var int32s: UnsafeMutablePointer<Int32> { unsafe start.assumingMemoryBound(to: Int32.self) }
}
