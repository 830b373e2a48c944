#if canImport(Glibc)
  import Glibc
#endif

/// The bytes of an open file, read in large pieces, of which the last one is kept.
///
/// Gives no more bytes once it is cancelled or too many have been read. Used on one thread, for as
/// long as the file is open.
final class FilePieces {
  /// How much is read at once, in bytes.
  static let pieceSize = 1 << 16
  /// How much is read in all; far more than a picture has, in bytes.
  static let maxBytes = 1 << 30

  /// Number of bytes in the file.
  let size: Int
  /// Whether bytes were not given that are there.
  private(set) var hasGivenUp = false
  // Borrowed: the file is open for as long as this object is used.
  private let descriptor: CInt
  private let isCancelled: () -> Bool
  private var bytesRead = 0
  private var piece: [UInt8] = []
  private var start = 0

  /// Reads an open file, which outlives this object; `isCancelled` is asked before each piece.
  init(_ file: borrowing PictureFile, isCancelled: @escaping () -> Bool) {
    descriptor = file.descriptor
    size = file.size
    self.isCancelled = isCancelled
  }

  /// The byte at `offset`; nil when it is not there.
  func byte(at offset: Int) -> UInt8? {
    if offset < start || offset >= start + piece.count { read(at: offset) }
    return offset >= start && offset < start + piece.count ? piece[offset - start] : nil
  }

  /// The bytes from `offset` on: `count` of them, which is not more than a piece has, or as many as
  /// there are.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    let end = min(offset + count, size)
    guard offset >= 0, end > offset else { return [] }
    if offset < start || end > start + piece.count { read(at: offset) }
    guard offset >= start, offset < start + piece.count else { return [] }
    return Array(piece[(offset - start)..<min(end - start, piece.count)])
  }

  /// The offset of the next byte of that value from `offset` on; nil when there is none.
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
    piece = PictureFile.read(descriptor, at: offset, count: min(Self.pieceSize, size - offset))
    bytesRead += Self.pieceSize
  }
}
