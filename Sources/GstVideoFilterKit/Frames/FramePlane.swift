/// A plane of a frame: rows of bytes, which are read and written in place.
///
/// A plane that the frame's format does not have is empty: it has no rows. A plane exists as long
/// as its frame, which cannot outlive the call that it is passed to.
@safe public struct FramePlane: ~Copyable {
  // Borrowed from the mapped buffer. All rows passed to `init` are within its memory. Other modules
  // can neither create nor copy a plane, so no plane outlives the mapping.
  @usableFromInline let base: UnsafeMutablePointer<UInt8>
  @usableFromInline let stride: Int
  /// The number of bytes per row that contain samples, and the number of rows.
  public let width: Int, height: Int

  /// Creates a plane in mapped memory: `height` rows of `width` bytes, `stride` bytes apart.
  @unsafe init(base: UnsafeMutablePointer<UInt8>, width: Int, height: Int, stride: Int) {
    unsafe self.base = base
    (self.width, self.height, self.stride) = (width, height, stride)
  }

  /// Returns a row of samples, counted from the top.
  ///
  /// Traps unless `y` is in `0..<height`.
  @inlinable @_lifetime(&self)
  public mutating func row(_ y: Int) -> MutableSpan<UInt8> {
    precondition(y >= 0 && y < height, "a row outside of the plane")
    let start = unsafe base + y &* stride
    return unsafe _overrideLifetime(
      MutableSpan(_unsafeStart: start, count: width), mutating: &self)
  }

  /// Returns a read-only row of samples, counted from the top.
  ///
  /// Traps unless `y` is in `0..<height`.
  @inlinable @_lifetime(borrow self)
  public func samples(ofRow y: Int) -> Span<UInt8> {
    precondition(y >= 0 && y < height, "a row outside of the plane")
    let start = unsafe base + y &* stride
    return unsafe _overrideLifetime(
      Span(_unsafeStart: start, count: width), borrowing: self)
  }

  /// Calls `body` with each row, from the top.
  @inlinable
  public mutating func forEachRow<Failure: Error>(
    _ body: (_ row: inout MutableSpan<UInt8>, _ y: Int) throws(Failure) -> Void
  ) throws(Failure) {
    for y in 0..<height {
      var row = row(y)
      try body(&row, y)
    }
  }

  /// Calls `body` with each pair of rows of two planes, from the top, while both have rows.
  ///
  /// ```swift
  /// FramePlane.forEachRow(&frame.chroma.cb, &frame.chroma.cr) { cb, cr, y in ... }
  /// ```
  @inlinable
  public static func forEachRow<Failure: Error>(
    _ first: inout FramePlane, _ second: inout FramePlane,
    _ body: (
      _ first: inout MutableSpan<UInt8>, _ second: inout MutableSpan<UInt8>, _ y: Int
    ) throws(Failure) -> Void
  ) throws(Failure) {
    for y in 0..<min(first.height, second.height) {
      var firstRow = first.row(y)
      var secondRow = second.row(y)
      try body(&firstRow, &secondRow, y)
    }
  }

  /// Sets each sample to `value`.
  public mutating func fill(_ value: UInt8) {
    if stride == width {
      unsafe base.update(repeating: value, count: width &* height)
    } else {
      for y in 0..<height { unsafe (base + y &* stride).update(repeating: value, count: width) }
    }
  }

  /// Replaces each sample by the result of `transform`.
  @inlinable
  public mutating func map(_ transform: (UInt8) -> UInt8) {
    forEachRow { row, _ in
      for x in row.indices { row[x] = transform(row[x]) }
    }
  }

  /// Calls `body` with the plane's memory, for code that processes whole planes by pointers.
  ///
  /// There are `height` rows of `width` bytes. Each row begins `stride` bytes after the previous
  /// one. The bytes between the rows must not be used. The memory is valid only during the call,
  /// and no other code uses it during the call.
  @unsafe public mutating func withUnsafeMemory<Result, Failure: Error>(
    _ body: (_ base: UnsafeMutablePointer<UInt8>, _ stride: Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(base, stride)
  }
}
