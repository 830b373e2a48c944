import Glibc

/// Reads an open file in large pieces and keeps the last one.
///
/// After cancellation, or after `maxBytes`, it returns no more bytes. The file must stay open while
/// this object is in use. Not thread-safe.
final class FilePieces {
  /// The size of a piece in bytes.
  static let pieceSize = 1 << 16
  /// The maximum number of bytes read in total, far more than a picture has.
  static let maxBytes = 1 << 30

  /// The size of the file in bytes.
  let size: Int
  /// Whether reading stopped before the end because of cancellation or `maxBytes`.
  private(set) var hasGivenUp = false
  // Borrowed: the file must stay open while this object is in use.
  private let descriptor: CInt
  private let isCancelled: () -> Bool
  private var bytesRead = 0
  private var piece: [UInt8] = []
  private var start = 0

  /// Creates a reader for `file`, which must outlive it.
  ///
  /// Calls `isCancelled` before it reads a piece.
  init(_ file: borrowing RegularFile, isCancelled: @escaping () -> Bool) {
    descriptor = file.descriptor
    size = file.size
    self.isCancelled = isCancelled
  }

  /// Returns the byte at `offset`, or nil if it is not available.
  func byte(at offset: Int) -> UInt8? {
    if offset < start || offset >= start + piece.count { read(at: offset) }
    return offset >= start && offset < start + piece.count ? piece[offset - start] : nil
  }

  /// Returns up to `count` bytes from `offset`, at most `pieceSize`.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    let end = min(offset + count, size)
    guard offset >= 0, end > offset else { return [] }
    if offset < start || end > start + piece.count { read(at: offset) }
    guard offset >= start, offset < start + piece.count else { return [] }
    return Array(piece[(offset - start)..<min(end - start, piece.count)])
  }

  /// Returns the offset of the first `byte` at or after `offset`, or nil if it is not found.
  func offset(of byte: UInt8, from offset: Int) -> Int? {
    var offset = offset
    while self.byte(at: offset) != nil {
      if let found = position(of: byte, from: offset - start) { return start + found }
      offset = start + piece.count
    }
    return nil
  }

  private func position(of byte: UInt8, from start: Int) -> Int? {
    unsafe piece.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, start < bytes.count,
        let found = unsafe memchr(base + start, CInt(byte), bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  private func read(at offset: Int) {
    piece = []
    guard offset >= 0, offset < size, !hasGivenUp else { return }
    guard bytesRead < Self.maxBytes, !isCancelled() else {
      hasGivenUp = true
      return
    }
    start = offset
    let count = min(Self.pieceSize, size - offset)
    piece = (try? RegularFile.read(descriptor, at: offset, count: count)) ?? []
    bytesRead += Self.pieceSize
  }
}
