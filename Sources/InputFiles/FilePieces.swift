/// Reads an open file in large pieces and keeps the last one.
///
/// After cancellation, or after `RegularFile.limit`, it returns no more bytes. The file must stay
/// open while this object is in use. Not thread-safe.
final class FilePieces {
  /// The size of the file in bytes.
  let size: Int
  /// Whether reading stopped before the end because of cancellation or the limit.
  private(set) var hasGivenUp = false
  private let descriptor: CInt
  private let isCancelled: () -> Bool
  private var bytesRead = 0
  private var piece: [UInt8] = []
  private var start = 0

  /// Creates a reader for `file`, which calls `isCancelled` before it reads a piece.
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

  /// Returns up to `count` bytes from `offset`, at most `RegularFile.pieceSize`.
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
      if let found = piece[(offset - start)...].firstIndex(of: byte) { return start + found }
      offset = start + piece.count
    }
    return nil
  }

  private func read(at offset: Int) {
    piece = []
    guard offset >= 0, offset < size, !hasGivenUp else { return }
    guard bytesRead < RegularFile.limit, !isCancelled() else { return hasGivenUp = true }
    start = offset
    let count = min(RegularFile.pieceSize, size - offset)
    piece = (try? RegularFile.read(descriptor, at: offset, count: count)) ?? []
    bytesRead += RegularFile.pieceSize
  }
}
