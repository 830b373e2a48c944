import GstVideoFilterKit
import Matting
import VirtualBackground

/// Shows an image, a video or a colour instead of the room behind a person.
///
/// A frame without a matte becomes black.
struct ReplaceRoom: VideoFilter {
  static let id = "replace-room", name = "Another room"
  static let summary = "Shows an image, a video or a colour in place of the room"
  static let properties: [FilterProperty<Self>] = [
    .text(
      "background", \.background,
      "Path of an image or a video. If empty, the colour is shown"),
    .integer(
      "background-color", \.color, in: 0...0xFF_FFFF,
      "Colour if background is empty: red, green and blue, eight bits each"),
    .number(
      "light-wrap", \.settings.lightWrap, in: 0...1, "How much the background lights the person"),
    .choice("quality", \.quality, "How well the person is found, and at what cost"),
  ]

  var background = ""
  var color = 0x30_5080
  var settings = EffectSettings()
  var quality = Quality.balanced
  private var hider: RoomHider?
  /// The choice of the last hider, which replaces a new choice that cannot be loaded.
  private var choice: RoomHider.Choice?

  init() {
    settings.effect = .replace
  }

  static let onError = FailedFrame.black

  mutating func setUp(for stream: VideoStream) throws {
    hider = try RoomHider.load(
      RoomHider.Choice(quality: quality, background: background), else: choice, for: stream)
  }

  mutating func tearDown() {
    choice = hider?.choice ?? choice
    hider = nil
  }

  mutating func process(_ frame: inout VideoFrame) throws {
    guard let hider else { throw RoomError("no network is loaded") }
    settings.backgroundColor = UInt32(clamping: color)
    try hider.process(&frame, settings: settings) {
      try hider.use(quality)
      try hider.show(background)
    }
  }
}
