/// There is no memory for what was to be allocated.
public struct OutOfMemory: Error, Equatable, CustomStringConvertible {
  /// How many bytes were asked for.
  public let byteCount: Int

  /// Makes the error for an allocation of so many bytes.
  public init(byteCount: Int) {
    self.byteCount = byteCount
  }

  /// How many megabytes were asked for.
  public var description: String { "there is no memory for \(byteCount / 1_000_000 + 1) MB" }
}
