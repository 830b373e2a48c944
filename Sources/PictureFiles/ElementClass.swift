/// Selects the GStreamer elements that may decode a file, by the class in their factories.
public enum ElementClass {
  /// Classes of demuxers that read only their input.
  private static let containers = ["Audio", "Metadata", "Video"].map { "Codec/Demuxer/\($0)" }

  /// Whether an element of a class, `Codec/Demuxer` for example, reads only its input.
  ///
  /// Playlists, manifests, session descriptions and timelines name other files and addresses, and
  /// their demuxers open them. Each kind has its own class: `Codec/Demuxer/Adaptive`,
  /// `Codec/Demuxer/Network/RTP`, `Codec/Demux/Editing`. So only known demuxer classes are
  /// accepted.
  public static func readsOnlyItsInput(_ name: String) -> Bool {
    !name.contains("Demux") || name == "Codec/Demuxer" || containers.contains(name)
  }
}
