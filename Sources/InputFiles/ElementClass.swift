/// Selects the GStreamer elements that may decode a file, by the class in their factories.
public enum ElementClass {
  /// Classes of demuxers that read only their input.
  private static let containers = ["Audio", "Metadata", "Video"].map { "Codec/Demuxer/\($0)" }

  /// Returns whether elements of a class, for example `Codec/Demuxer`, read only their input.
  ///
  /// Playlists, manifests, session descriptions and timelines contain the names of other files and
  /// addresses, which their demuxers open. Such demuxers have classes of their own, for example
  /// `Codec/Demuxer/Adaptive`, `Codec/Demuxer/Network/RTP` and `Codec/Demux/Editing`. Therefore
  /// only known demuxer classes are accepted.
  public static func readsOnlyItsInput(_ name: String) -> Bool {
    !name.contains("Demux") || name == "Codec/Demuxer" || containers.contains(name)
  }
}
