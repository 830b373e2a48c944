import CGStreamer
import TestSupport
import Testing

@testable import GstBackground
@testable import GstVBGFilter

/// A background opens only the file or address in `background-path`.
@Suite struct BackgroundReachTests {
  /// Returns playlists that refer to an address, by file name.
  static func playlists(naming address: String) -> [String: [UInt8]] {
    let texts = [
      "list.m3u8": """
      #EXTM3U
      #EXT-X-VERSION:3
      #EXT-X-TARGETDURATION:10
      #EXTINF:10.0,
      \(address)
      #EXT-X-ENDLIST

      """,
      "variants.m3u8": """
      #EXTM3U
      #EXT-X-STREAM-INF:BANDWIDTH=1000
      \(address)

      """,
      "manifest.mpd": """
      <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
      mediaPresentationDuration="PT10S" minBufferTime="PT1S" \
      profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period>\
      <AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000" width="320" \
      height="180"><BaseURL>\(address)</BaseURL><SegmentBase indexRange="0-100"/>\
      </Representation></AdaptationSet></Period></MPD>
      """,
      "manifest.ism": """
      <?xml version="1.0" encoding="utf-8"?><SmoothStreamingMedia MajorVersion="2" \
      MinorVersion="0" Duration="100000000"><StreamIndex Type="video" Chunks="1" \
      Url="\(address)/Q({bitrate})/F({start time})"><QualityLevel Index="0" Bitrate="1000" \
      FourCC="H264" MaxWidth="320" MaxHeight="180" CodecPrivateData="00000001674D401E"/>\
      <c d="100000000"/></StreamIndex></SmoothStreamingMedia>
      """,
      "session.sdp": """
      v=0
      o=- 0 0 IN IP4 127.0.0.1
      s=room
      c=IN IP4 127.0.0.1
      t=0 0
      a=control:\(address)
      m=video 5004 RTP/AVP 96
      a=rtpmap:96 H264/90000

      """,
    ]
    return texts.mapValues { Array($0.utf8) }
  }

  /// Returns a QuickTime movie with only a reference to another movie.
  private static func referenceMovie(naming address: String) -> [UInt8] {
    func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
      PictureFiles.bigEndian(8 + content.count, count: 4) + Array(name.utf8) + content
    }
    let url = Array(address.utf8) + [0]
    let reference = box(
      "rdrf",
      [0, 0, 0, 0] + Array("url ".utf8) + PictureFiles.bigEndian(url.count, count: 4) + url)
    return box("ftyp", Array("qt  ".utf8) + [0, 0, 0, 0] + Array("qt  ".utf8))
      + box("moov", box("rmra", box("rmda", reference)))
  }

  /// Makes GStreamer prefer the installed demuxers of playlists.
  private static func preferPlaylists() {
    for name in ["hlsdemux", "dashdemux", "mssdemux", "sdpdemux"] {
      guard let feature = unsafe gst_registry_lookup_feature(gst_registry_get(), name) else {
        continue
      }
      unsafe gst_plugin_feature_set_rank(feature, 1000)
      unsafe gst_object_unref(UnsafeMutableRawPointer(feature))
    }
  }

  @Test(
    "refuses a file that names an address, without a request to it",
    arguments: Self.playlists(naming: "").keys.sorted())
  func file(_ name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      GStreamer.prepare()
      Self.preferPlaylists()
      let server = try HTTPServer(.never)
      let bytes = try #require(Self.playlists(naming: server.uri)[name])
      let folder = TemporaryFolder()
      let path = folder.write(name, bytes)
      let data =
        "data:application/octet-stream,"
        + bytes.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      for location in [path, "file://" + path, data] {
        BackgroundImage.expectError(
          .notAnImage, "use the picture or video itself", at: location)
        #expect(server.requests == 0, "\(name)")
      }
    }
  }

  @Test("posts the element's error for a file that names an address", .timeLimit(.minutes(15)))
  func message() throws {
    let folder = TemporaryFolder()
    let address = "http://127.0.0.1:9/segment"
    let path = folder.write("list.m3u8", try #require(Self.playlists(naming: address)["list.m3u8"]))
    let filter = try TestFilter(["background-path": path])
    #expect(!filter.tryToStart())
    filter.messages().expectOne(
      .error, "'\(path)' is not a picture (found application/x-hls)",
      "use the picture or video itself")
  }

  @Test("reports a refused connection", .enabled(if: hasDecoder("souphttpsrc")))
  func refusedConnection() async {
    await #expect(processExitsWith: .success) {
      GStreamer.prepare()
      var address = ""
      do {
        // The address has no listener after the server ends, and no proxy is used instead.
        let server = try HTTPServer(.never)
        address = server.uri
        withExtendedLifetime(server) {}
      }
      BackgroundImage.expectError(.unreadable, "its server was refused", at: address)
    }
  }

  @Test("refuses a movie that refers to another one")
  func reference() async {
    await #expect(processExitsWith: .success) {
      GStreamer.prepare()
      let server = try HTTPServer(.never)
      let folder = TemporaryFolder()
      let path = folder.write("reference.mov", Self.referenceMovie(naming: server.uri))
      #expect(throws: BackgroundError.self) {
        try BackgroundImage.read(path)
      }
      #expect(server.requests == 0)
    }
  }

  @Test(
    "refuses a playlist from a server", .enabled(if: hasDecoder("souphttpsrc")),
    arguments: Self.playlists(naming: "").keys.sorted())
  func remote(_ name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      GStreamer.prepare()
      Self.preferPlaylists()
      let other = try HTTPServer(.never)
      let bytes = try #require(Self.playlists(naming: other.uri)[name])
      let server = try HTTPServer(.file(bytes, stallsAfter: bytes.count))
      BackgroundImage.expectError(.notAnImage, at: server.uri)
      #expect(other.requests == 0)
      withExtendedLifetime(server) {}
    }
  }
}
