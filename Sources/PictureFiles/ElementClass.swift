/// Which of GStreamer's elements may decode a file, by the class that their factories name.
public enum ElementClass {
  /// Demuxers that take apart the bytes at hand.
  private static let containers = ["Audio", "Metadata", "Video"].map { "Codec/Demuxer/\($0)" }

  /// Whether an element of a class, `Codec/Demuxer` for example, reads only what it is given.
  ///
  /// Playlists, manifests, descriptions of sessions and timelines name other files and addresses,
  /// and their demuxers open those. Each of them has a class of its own: `Codec/Demuxer/Adaptive`,
  /// `Codec/Demuxer/Network/RTP`, `Codec/Demux/Editing`. So of demuxers only known classes are
  /// taken.
  public static func readsOnlyItsInput(_ name: String) -> Bool {
    !name.contains("Demux") || name == "Codec/Demuxer" || containers.contains(name)
  }
}
