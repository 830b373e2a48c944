import CGStreamer
import Testing
import Threads

@testable import GstBackground
@testable import GstVBGFilter

/// Addresses in messages, which must not contain user names, passwords or tokens.
@Suite struct ShownLocationTests {
  @Test(
    "removes user names, passwords and tokens from an address",
    arguments: [
      ("/room/picture.png", "/room/picture.png"), ("a:b@c.png", "a:b@c.png"),
      ("file:///room/my%20picture.png", "file:///room/my%20picture.png"),
      ("http://host/a b/ü.png", "http://host/a b/ü.png"),
      ("http://host:80/pack@1.2/picture.png", "http://***"),
      ("http://host/pack@1.2/picture.png", "http://host/pack@1.2/picture.png"),
      ("http://user:secret@host:80/p.png", "http://host:80/p.png"),
      ("https://secret@host/p.png?size=1&token=secret#secret", "https://host/p.png"),
      ("http://host/p.png#secret", "http://host/p.png"),
      ("rtsp://user:se@secret@[::1]:554/p", "rtsp://[::1]:554/p"),
      (" http://user:secret@host/p q", "http://host/p%20q"),
      ("http://user:p/secret@host/", "http://***"), ("http://user:1/secret@host/", "http://***"),
      ("http://user:#secret@host/", "http://***"),
      ("http://user:p#secret@host/", "http://***"), ("/no/uri://secret", "/no/uri://***"),
      ("data:image/png;base64,secret", "data:image/png;base64,***"), ("data:", "data:,***"),
    ])
  func removesSecrets(_ location: String, _ shown: String) {
    #expect(ShownLocation(location).text == shown)
    #expect(ShownLocation(shown).text == shown)
  }

  @Test("repeats GStreamer's error text unless it may contain a secret")
  func remarks() {
    #expect(ShownLocation("http://host/p").remark("Not Found") == ": Not Found")
    #expect(ShownLocation("http://host/p").remark("It is not there.") == ": It is not there")
    #expect(ShownLocation("http://host/p").remark("See http://user:secret@host.") == "")
    #expect(ShownLocation("http://user:secret@host/p").remark("No, secret!") == "")
    #expect(ShownLocation("http://user:p/secret@host/").remark("Bad port 'secret'") == "")
  }

  @Test("hides secrets in messages about unreadable addresses", .timeLimit(.minutes(15)))
  func messages() async {
    await #expect(processExitsWith: .success) {
      let lines = Lines()
      for status in ["401 Not you, secret", "403 Forbidden", "404 No secret", "500 Broken secret"] {
        let server = try HTTPServer(.refusal(status))
        let location = server.uri(user: "secret-user:secret", query: "token=secret")
        let filter = try TestFilter(["background-path": location])
        #expect(filter.pushRoom() == GST_FLOW_ERROR)
        let messages = filter.messages()
        #expect(messages.map(\.kind) == [.error])
        for message in messages {
          #expect(!message.text.contains("secret") && !message.debug.contains("secret"))
          #expect(message.text.contains(server.uri))
        }
        #expect(filter.value(of: "stats")?.contains("secret") == false)
        #expect(filter.value(of: "background-path")?.contains("secret") == true)
        withExtendedLifetime(server) {}
      }
      // Addresses that cannot be parsed, and addresses without an element for them.
      for location in [
        "http://user:p/secret@host/", "no-such-scheme://user:secret@host/", "file://x:secret@%zz",
        "data:application/x-hls,http://user:secret@host/",
      ] {
        let error = #expect(throws: BackgroundError.self) {
          try BackgroundImage.read(location)
        }
        #expect(error.map { "\($0)\(String(reflecting: $0))" }?.contains("secret") == false)
      }
      #expect(lines.all.contains { $0.contains("/background'") }, "\(lines.all)")
      #expect(!lines.all.contains { $0.contains("secret") }, "\(lines.all)")
    }
  }

  @Test("hides secrets in the log of a video that ends", .timeLimit(.minutes(15)))
  func notes() async {
    await #expect(processExitsWith: .success) {
      let lines = Lines()
      let video = StoredVideo(lumas: StoredVideo.lumas(6), width: 320, height: 180)
      let bytes = try video.encoded(as: .rawMatroska)
      let server = try HTTPServer(.file(bytes, stallsAfter: bytes.count))
      let filter = try TestFilter([
        "background-path": server.uri(user: "user:secret", query: "token=secret")
      ])
      var time: UInt64 = 0
      try filter.process {
        time += video.interval
        _ = try filter.backgroundLuma(at: time)
        return lines.all.contains { $0.contains("its last picture stays") }
      }
      #expect(!lines.all.contains { $0.contains("secret") }, "\(lines.all)")
      withExtendedLifetime(server) {}
    }
  }
}

/// The lines that the element writes into the debug log from now on, for exit tests.
private final class Lines: Sendable {
  private static let written = Monitor<[String]>([])

  init() {
    GStreamer.prepare()
    gst_debug_set_active(1)
    unsafe gst_debug_set_threshold_for_name("vbgfilter", GST_LEVEL_LOG)
    unsafe gst_debug_remove_log_function(gst_debug_log_default)
    unsafe gst_debug_add_log_function(
      { category, _, _, _, _, _, message, _ in
        guard let message = unsafe gst_debug_message_get(message),
          let name = unsafe gst_debug_category_get_name(category),
          unsafe String(cString: name) == "vbgfilter"
        else { return }
        let line = unsafe String(cString: message)
        Lines.written.change { $0.append(line) }
      }, nil, nil)
  }

  var all: [String] { Self.written.current }
}
