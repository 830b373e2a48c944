import Processor
import TestSupport
import Testing

@Suite struct KernelTests {
  /// Uses widths that cover every start and end of vectorised loops, and long rows for many values.
  @Test("matches its specification in every instruction set", arguments: KernelCall.all)
  func specification(kernel: KernelCall.Kernel) {
    var generator = SeededGenerator(seed: 1)
    for width in Array(0...70) + [129, 300] + Array(repeating: 5000, count: 20) {
      for isAtEnd in [false, true] {
        var input = FuzzInput(generator.bytes(512))
        input.width = width
        input.isRandom = width > 70 || generator.next() % 2 == 0
        let violation = kernel.call(&input).violation(isAtEnd: isAtEnd)
        #expect(violation == nil, "\(width) samples, at the end: \(isAtEnd)")
      }
    }
  }

  /// Fails if the baseline runs instead of a wider set.
  @Test("each instruction set has its own kernels")
  func kernelsOfSets() {
    let types = Set(InstructionSet.available.map { ObjectIdentifier($0.kernels) })
    #expect(types.count == InstructionSet.available.count)
  }
}
