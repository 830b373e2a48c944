import GstVideoFilterKit
import PersonSelection

/// Draws an image over each face, with the face's size and roll.
struct FaceSticker: VideoFilter {
  static let id = "facesticker", name = "Face sticker"
  static let summary = "Draws a picture, glasses for example, over each face"
  static let formats: [VideoFrame.Format] = [.nv12, .i420, .rgba]
  static let properties: [FilterProperty<Self>] = [
    .text("image", \.image, "Path of a picture, which may be transparent. Empty draws glasses"),
    .number("scale", \.scale, in: 0.1...10, "Width of the picture, in widths of the face"),
    .number(
      "offset-y", \.offsetY, in: -5...5,
      "Distance of the picture below the eyes, in heights of the face"),
    .integer(
      "detections", \.detections, in: 1...240,
      "Maximum number of face detections per second"),
  ]

  var image = ""
  var scale = 1.0
  var offsetY = 0.0
  var detections = 30

  private var state: State?
  /// The path of the last image in use.
  private var lastImage: String?

  /// The result of a set-up.
  private struct State {
    let finder: FaceFinder
    var shrinker: PictureShrinker
    /// Memory for the next small picture.
    var spare: [UInt8] = []
    var stickers: SettingLoader<String, StickerImage>
    var sticker: StickerImage
    var faces: [TrackedFace] = []
    /// The size of a pixel of the small picture, in pixels of the frame.
    var pixel: Float = 1
    var lastDetection: UInt64?
    /// The time of the last frame, in nanoseconds, estimated for frames without a timestamp.
    var time: UInt64 = 0
  }

  /// How long a sticker stays after the last detection of its face, in nanoseconds.
  private static let holdTime: UInt64 = 200_000_000
  /// The assumed interval between frames without timestamps, in nanoseconds.
  private static let step: UInt64 = 33_333_333

  mutating func setUp(for stream: VideoStream) throws {
    func load(_ path: String) throws -> (SettingLoader<String, StickerImage>, StickerImage) {
      let stickers = SettingLoader<String, StickerImage>(path) { path, cancellation in
        let picture =
          path.isEmpty ? Glasses.image : try ColorImage(path: path, cancellation)
        return StickerImage(picture, for: stream)
      }
      return (stickers, try stickers.load())
    }
    let (stickers, sticker): (SettingLoader<String, StickerImage>, StickerImage)
    do {
      (stickers, sticker) = try load(image)
    } catch {
      // Keep the image of the previous frames. `next` then tries the change again and reports it.
      guard let lastImage, lastImage != image, let last = try? load(lastImage) else { throw error }
      (stickers, sticker) = last
    }
    state = State(
      finder: try FaceFinder(holdTime: Self.holdTime),
      shrinker: PictureShrinker(FaceFinder.request(for: stream)), stickers: stickers,
      sticker: sticker)
  }

  mutating func tearDown() {
    lastImage = state?.stickers.current ?? lastImage
    state?.stickers.stop()
    state = nil
  }

  mutating func process(_ frame: inout VideoFrame) throws {
    guard state != nil else { return }
    // Try both, even if one fails. The error of the image comes first.
    let changed = Result { try takeImage() }
    let found = Result { try findFaces(in: &frame) }
    drawStickers(into: &frame)
    if case .failure(let error) = changed { throw FilterWarning(error) }
    try found.get()
  }

  /// Applies a change of `image`.
  ///
  /// The previous image stays until the new one has been read.
  private mutating func takeImage() throws {
    if let sticker = try state?.stickers.next(image) { state?.sticker = sticker }
  }

  private mutating func findFaces(in frame: inout VideoFrame) throws {
    guard var state else { return }
    // Hold only one reference to the state, so that its arrays are changed in place and not copied.
    self.state = nil
    defer { self.state = state }
    state.time = frame.timestamp?.nanoseconds ?? state.time &+ Self.step
    // Subtract a tenth from the interval, because frames arrive unevenly.
    let pause = UInt64(900_000_000 / max(detections, 1))
    if let last = state.lastDetection, state.time >= last, state.time - last < pause { return }
    state.lastDetection = state.time
    let bytes = state.spare
    state.spare = []
    let picture = state.shrinker.shrink(&frame, into: bytes)
    state.pixel = Float(picture.scale)
    state.faces = []
    state.faces = try state.finder.faces(in: picture, at: state.time)
    state.spare = picture.bytes
  }

  private func drawStickers(into frame: inout VideoFrame) {
    guard let state else { return }
    for tracked in state.faces {
      let place = StickerPlace(
        on: tracked.face, pixel: state.pixel, scale: Float(scale), offset: Float(offsetY))
      place.draw(state.sticker, into: &frame)
    }
  }
}
