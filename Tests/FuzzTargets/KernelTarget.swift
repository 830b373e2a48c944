import TestSupport

extension FuzzTarget {
  /// Runs one kernel on any samples with each instruction set.
  func compareKernels(_ bytes: [UInt8]) throws(Finding) {
    var input = FuzzInput(bytes)
    let kernel = input.choice(KernelCall.all)
    let isAtEnd = input.flag()
    if let violation = kernel.call(&input).violation(isAtEnd: isAtEnd) {
      throw Finding("\(kernel): \(violation)")
    }
  }
}
