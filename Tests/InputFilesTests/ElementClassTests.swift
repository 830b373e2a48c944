import InputFiles
import Testing

/// The GStreamer element classes that may decode a file.
@Suite struct ElementClassTests {
  @Test(arguments: [
    "Codec/Demuxer", "Codec/Demuxer/Audio", "Codec/Demuxer/Metadata", "Codec/Demuxer/Video",
    "Codec/Decoder/Image", "Codec/Decoder/Video", "Codec/Parser/Converter/Video",
    "Codec/Depayloader/Network/RTP",
  ])
  func decodersAndContainersReadOnlyTheirInput(_ name: String) {
    #expect(ElementClass.readsOnlyItsInput(name))
  }

  @Test(arguments: [
    "Codec/Demuxer/Adaptive", "Codec/Demuxer/Network/RTP", "Codec/Demux/Editing",
    "Demuxer/Playlist",
  ])
  func demuxersOfPlaylistsDoNot(_ name: String) {
    #expect(!ElementClass.readsOnlyItsInput(name))
  }
}
