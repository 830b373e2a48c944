import CProcessor
import PixelKernels
import PixelTypes
import Synchronization

#if arch(x86_64)
  import PixelKernelsV3
  import PixelKernelsV4
#endif

/// The row kernels of this process.
package var kernels: any RowKernels.Type { InstructionSet.current.kernels }

/// An instruction set of the row kernels, from the narrowest to the widest.
public enum InstructionSet: String, CaseIterable, Sendable {
  /// The minimum of the architecture: SSE2 on x86-64, NEON on arm64.
  case baseline
  /// AVX2 and the rest of x86-64-v3.
  case avx2
  /// AVX-512 F, BW, CD, DQ and VL: x86-64-v4.
  case avx512

  /// The environment variable that limits the choice, for tests and bug reports.
  public static let variable = "VBGFILTER_ISA"

  /// The level of the current instruction set.
  private static let choice = Atomic(chosen(limit: Environment.value(of: variable)).level)

  /// The instruction set of this process.
  ///
  /// It is the widest set that the processor supports, or a narrower one that `VBGFILTER_ISA`
  /// names. Tests and benchmarks set it. All sets give the same results, so it may change at any
  /// time.
  public static var current: InstructionSet {
    get {
      switch choice.load(ordering: .relaxed) {
      case avx512.level: .avx512
      case avx2.level: .avx2
      default: .baseline
      }
    }
    set { choice.store(newValue.level, ordering: .relaxed) }
  }

  /// The instruction sets that this processor supports, the narrowest first.
  public static var available: [InstructionSet] {
    let level = cpu_level()
    return allCases.filter { $0.level <= level || $0 == .baseline }
  }

  /// The kernels built for this instruction set, which must be available.
  public var kernels: any RowKernels.Type {
    #if arch(x86_64)
      switch self {
      case .baseline: PixelKernels.CompiledKernels.self
      case .avx2: PixelKernelsV3.CompiledKernels.self
      case .avx512: PixelKernelsV4.CompiledKernels.self
      }
    #else
      CompiledKernels.self
    #endif
  }

  /// Returns the widest available instruction set up to `limit`.
  ///
  /// An unknown name is no limit.
  static func chosen(limit: String?) -> InstructionSet {
    let widest = limit.flatMap(InstructionSet.init)?.level ?? .max
    return available.last { $0.level <= widest } ?? .baseline
  }

  /// The level of x86-64 that this instruction set requires.
  private var level: Int32 {
    switch self {
    case .baseline: 1
    case .avx2: 3
    case .avx512: 4
    }
  }
}
