extension FramePlane {
  /// Calls a function with the plane's memory, for code that works on whole planes by pointers.
  ///
  /// There are `height` rows of `width` bytes, each `stride` bytes after the last; the bytes between
  /// them belong to nobody. The memory is valid during the call, and nobody else uses it meanwhile.
  @unsafe public mutating func withUnsafeMemory<Result, Failure: Error>(
    _ body: (_ base: UnsafeMutablePointer<UInt8>, _ stride: Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(base, stride)
  }
}
