import CGStreamer
import Synchronization

/// Counts the bytes that a pipeline takes in for its next picture.
///
/// Parsers and decoders keep all of a picture until its end. A server that sends a picture without an end
/// would fill the memory.
final class PictureBytes: Sendable {
  /// What a file may have, in bytes: far more than a picture has.
  static let mostOfFile = 1 << 30
  /// What a server may send, in bytes.
  static let mostOfServer = 1 << 27

  let limit: Int
  private let count = Atomic(0)

  /// Begins to count.
  init(limit: Int) {
    self.limit = limit
  }

  /// Adds bytes; returns false if there are too many now.
  func add(_ bytes: Int) -> Bool {
    count.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit
  }

  /// Begins anew: there is a picture.
  func notePicture() { count.store(0, ordering: .relaxed) }

  /// The object that a callback got as its data.
  ///
  /// Safety: the pipeline's callbacks get nothing else, and the object outlives the pipeline.
  @unsafe static func object(of data: gpointer?) -> PictureBytes? {
    unsafe data.map { unsafe Unmanaged<PictureBytes>.fromOpaque($0).takeUnretainedValue() }
  }
}
