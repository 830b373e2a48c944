import PixelTypes

/// The memory limits of a video, for frames of one format.
///
/// Plates have the size of the frames. Decoded pictures have the size of the video.
struct VideoBudget {
  /// The limit for plates and decoded pictures together, in bytes.
  ///
  /// A few plates are always allowed, even if they exceed the limit.
  static let maxBytes = 256 << 20
  /// The maximum number of plates that are made ahead.
  ///
  /// They are shown while the video seeks to its start.
  private static let maxPlatesAhead = 4
  /// The number of plates in use in addition to those that are made ahead.
  ///
  /// These are the current plate, the previous plate, the plates of the last light wrap and of the
  /// last light match, and the plate that is being painted.
  private static let othersInUse = 5

  /// The maximum number of plates that are made ahead.
  let platesAhead: Int
  /// The limit for decoded pictures, in bytes.
  let pictureBytes: Int

  /// Divides `maxBytes` between plates of a format and decoded pictures.
  init(_ format: FrameFormat, maxBytes: Int = VideoBudget.maxBytes) {
    let forPlates = maxBytes / 2 / format.byteCount - Self.othersInUse
    platesAhead = min(max(forPlates, 1), Self.maxPlatesAhead)
    pictureBytes = max(maxBytes - (platesAhead + Self.othersInUse) * format.byteCount, 0)
  }

  /// The maximum number of plates that exist at the same time.
  var plates: Int { platesAhead + Self.othersInUse }
}
