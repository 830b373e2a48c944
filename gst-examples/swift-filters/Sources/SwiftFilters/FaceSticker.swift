import FaceDetection
import GstVideoFilterKit

/// Draws a picture over each face, as large as the face is and as it leans.
struct FaceSticker: VideoFilter {
  static let id = "facesticker", name = "Face sticker"
  static let summary = "Draws a picture, glasses for example, over each face"
  static let formats: [VideoFrame.Format] = [.nv12, .i420, .rgba]
  static let properties: [FilterProperty<Self>] = [
    .text("image", \.image, "Path of a picture, which may be transparent; empty for glasses"),
    .number("scale", \.scale, in: 0.1...10, "Width of the picture, in widths of the face"),
    .number(
      "offset-y", \.offsetY, in: -5...5,
      "How far the picture is below the eyes, in heights of the face"),
    .integer(
      "detections", \.detections, in: 1...240,
      "How many times in a second faces are looked for at most"),
  ]

  var image = ""
  var scale = 1.0
  var offsetY = 0.0
  var detections = 30

  private var work: Work?
  /// The picture that was drawn last.
  private var lastImage: String?

  /// What there is while it is set up.
  private struct Work {
    let finder: FaceFinder
    var shrinker: PictureShrinker
    /// Memory for the next small picture.
    var spare: [UInt8] = []
    var stickers: SettingLoader<String, StickerImage>
    var sticker: StickerImage
    var faces: [TrackedFace] = []
    /// Pixels of the frame that one of the small picture stands for.
    var pixel: Float = 1
    var lastDetection: UInt64?
    /// Takes the place of time in frames that do not say when they are.
    var time: UInt64 = 0
  }

  /// Nanoseconds for which a sticker stays when its face is not found.
  private static let patience: UInt64 = 200_000_000
  /// Nanoseconds between frames that do not say when they are.
  private static let step: UInt64 = 33_333_333

  mutating func setUp(for stream: VideoStream) throws {
    func load(_ path: String) throws -> (SettingLoader<String, StickerImage>, StickerImage) {
      let stickers = SettingLoader<String, StickerImage>(path) { path, isWanted in
        let picture =
          path.isEmpty ? Glasses.image : try ImageReader.read(path, isWanted: isWanted)
        return StickerImage(picture, for: stream)
      }
      return (stickers, try stickers.load())
    }
    let (stickers, sticker): (SettingLoader<String, StickerImage>, StickerImage)
    do {
      (stickers, sticker) = try load(image)
    } catch {
      // That of the frames before these stays, and the change fails once more, off the streaming thread.
      guard let lastImage, lastImage != image, let last = try? load(lastImage) else { throw error }
      (stickers, sticker) = last
    }
    work = Work(
      finder: try FaceFinder(patience: Self.patience),
      shrinker: PictureShrinker(FaceFinder.request(for: stream)), stickers: stickers,
      sticker: sticker)
  }

  mutating func tearDown() {
    lastImage = work?.stickers.current ?? lastImage
    work?.stickers.stop()
    work = nil
  }

  mutating func process(_ frame: inout VideoFrame) throws {
    guard work != nil else { return }
    // Each is tried, whatever becomes of the other; a picture that cannot be read is told first.
    let changed = Result { try takeImage() }
    let found = Result { try findFaces(in: &frame) }
    drawStickers(into: &frame)
    if case .failure(let error) = changed { throw FilterWarning(error) }
    try found.get()
  }

  /// Follows a change of `image`: the old one stays until the new one has been read.
  private mutating func takeImage() throws {
    if let sticker = try work?.stickers.next(image) { work?.sticker = sticker }
  }

  private mutating func findFaces(in frame: inout VideoFrame) throws {
    guard var work else { return }
    // Nothing else may hold the memory that is about to be used again.
    self.work = nil
    defer { self.work = work }
    work.time = frame.timestamp?.nanoseconds ?? work.time &+ Self.step
    // Frames do not come quite evenly.
    let pause = UInt64(900_000_000 / max(detections, 1))
    if let last = work.lastDetection, work.time >= last, work.time - last < pause { return }
    work.lastDetection = work.time
    let bytes = work.spare
    work.spare = []
    let picture = work.shrinker.shrink(&frame, into: bytes)
    work.pixel = Float(picture.scale)
    work.faces = []
    work.faces = try work.finder.faces(in: picture, at: work.time)
    work.spare = picture.bytes
  }

  private func drawStickers(into frame: inout VideoFrame) {
    guard let work else { return }
    for tracked in work.faces {
      let place = StickerPlace(
        on: tracked.face, pixel: work.pixel, scale: Float(scale), offset: Float(offsetY))
      place.draw(work.sticker, into: &frame)
    }
  }
}
