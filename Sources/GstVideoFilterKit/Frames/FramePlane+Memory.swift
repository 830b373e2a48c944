extension FramePlane {
  /// Calls a function with the plane's memory, for code that processes whole planes by pointers.
  ///
  /// There are `height` rows of `width` bytes, each beginning `stride` bytes after the one before; the
  /// bytes between them are not to be used. The memory is valid during the call, and not used by other
  /// code meanwhile.
  @unsafe public mutating func withUnsafeMemory<Result, Failure: Error>(
    _ body: (_ base: UnsafeMutablePointer<UInt8>, _ stride: Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(base, stride)
  }
}
