import GstVideoFilterKit
import Matting
import VirtualBackground

/// Blurs the room behind a person.
///
/// A frame without a matte becomes black.
struct BlurRoom: VideoFilter {
  static let id = "blur-room", name = "Blurred room"
  static let summary = "Blurs the room behind a person"
  // Every radius in this range hides the background.
  static let properties: [FilterProperty<Self>] = [
    .number(
      "blur-radius", \.settings.blurRadius, in: 1...100,
      "Sigma of the blur, in pixels of a 720-line frame"),
    .choice("quality", \.quality, "How well the person is found, and at what cost"),
  ]

  var settings = EffectSettings()
  var quality = Quality.balanced
  private var hider: RoomHider?
  /// The choice of the last hider, which replaces a new choice that cannot be loaded.
  private var choice: RoomHider.Choice?

  static let onError = FailedFrame.black

  mutating func setUp(for stream: VideoStream) throws {
    hider = try RoomHider.load(
      RoomHider.Choice(quality: quality), else: choice, for: stream)
  }

  mutating func tearDown() {
    choice = hider?.choice ?? choice
    hider = nil
  }

  mutating func process(_ frame: inout VideoFrame) throws {
    guard let hider else { throw RoomError("no network is loaded") }
    try hider.process(&frame, settings: settings) { try hider.use(quality) }
  }
}
