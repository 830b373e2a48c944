import PixelTypes

/// How much of a video is kept in memory, for frames of one format.
///
/// Plates have the size of the frames, decoded pictures that of the video.
struct VideoBudget {
  /// What plates and pictures may take together, in bytes, but for the few that there have to be.
  static let maxBytes = 256 << 20
  /// So many pictures' time hides the jump to the start.
  private static let maxPlatesAhead = 4
  /// Besides the plates that wait: the one that is shown and the one before it, one that the light of
  /// the background was taken from, and one that is painted.
  private static let othersInUse = 4

  /// How many plates wait at most.
  let platesAhead: Int
  /// What decoded pictures may take, in bytes.
  let pictureBytes: Int

  /// Divides so many bytes, for frames of a format.
  init(_ format: FrameFormat, maxBytes: Int = VideoBudget.maxBytes) {
    let forPlates = maxBytes / 2 / format.byteCount - Self.othersInUse
    platesAhead = min(max(forPlates, 1), Self.maxPlatesAhead)
    pictureBytes = max(maxBytes - (platesAhead + Self.othersInUse) * format.byteCount, 0)
  }

  /// How many plates are in use at most.
  var plates: Int { platesAhead + Self.othersInUse }
}
