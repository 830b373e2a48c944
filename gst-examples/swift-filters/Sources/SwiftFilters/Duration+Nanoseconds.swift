extension Duration {
  /// Whole nanoseconds, or 0 if the duration is negative or does not fit.
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
