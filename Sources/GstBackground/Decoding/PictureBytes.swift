import CGStreamer
import Synchronization

/// Counts the bytes that a pipeline reads for its next picture.
///
/// Parsers and decoders buffer a picture until its end. A server that sends an endless picture
/// would fill the memory.
final class PictureBytes: Sendable {
  /// The limit for files, in bytes, which is far more than a picture needs.
  static let maxFromFile = 1 << 30
  /// The limit for servers, in bytes.
  static let maxFromServer = 1 << 27

  /// The maximum number of bytes per picture.
  let limit: Int
  private let count = Atomic(0)

  /// Creates a count of 0 bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Adds `bytes` to the count and returns whether it is within the limit.
  func add(_ bytes: Int) -> Bool {
    count.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit
  }

  /// Resets the count after a complete picture.
  func recordPicture() { count.store(0, ordering: .relaxed) }

  /// Returns the object that a callback received as its user data.
  ///
  /// Safety: `data` must be nil or a pointer to a `PictureBytes` that is alive during the call.
  @unsafe static func object(of data: gpointer?) -> PictureBytes? {
    unsafe data.map { unsafe Unmanaged<PictureBytes>.fromOpaque($0).takeUnretainedValue() }
  }
}
