extension Duration {
  /// Whole nanoseconds; 0 if negative or more than 64 bits.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard let whole = UInt64(exactly: seconds), let part = UInt64(exactly: attoseconds) else {
      return 0
    }
    let (product, isTooMuch) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = product.addingReportingOverflow(part / 1_000_000_000)
    return isTooMuch || overflows ? 0 : sum
  }
}
