import Compositing
import GstBackground
import GstVideoFilterKit
import Matting
import OpenVINOInference
import PixelTypes
import Processor
import VirtualBackground

/// Hides the real background in the frames of one stream.
///
/// Not thread-safe.
final class RoomHider {
  /// A longer gap between two frames counts as a change of scene.
  private static let longestGap = Duration.milliseconds(500)

  private let engine: VirtualBackgroundEngine
  /// Converts I420 frames to NV12 and back, or `nil` if the frames are NV12.
  private let adapter: NV12Adapter?
  private var lastTimestamp: Duration?

  private var networks: SettingLoader<Quality, LoadedNetwork>
  private var backgrounds: SettingLoader<String, LoadedBackground?>
  private var player = BackgroundPlayer()

  /// A quality of networks, and the location of an image or a video, which may be empty.
  struct Choice: Equatable {
    let quality: Quality
    var background = ""
  }

  /// The choice in use.
  ///
  /// It differs from the settings until a changed choice has been loaded.
  var choice: Choice {
    Choice(quality: networks.current, background: backgrounds.current)
  }

  /// Loads `wanted` for frames of a stream, or `previous` if that fails.
  ///
  /// In that case `process` tries to load `wanted` again, off the streaming thread, and reports the
  /// error.
  ///
  /// - Throws: `SegmentationError`, `ImageError`, or `RoomError` for a size out of range.
  static func load(
    _ wanted: Choice, else previous: Choice?, for stream: VideoStream
  ) throws -> RoomHider {
    do {
      return try RoomHider(for: stream, wanted)
    } catch {
      guard let previous, previous != wanted,
        let hider = try? RoomHider(for: stream, previous)
      else { throw error }
      return hider
    }
  }

  /// Loads a choice for frames of a stream.
  ///
  /// - Throws: `SegmentationError`, `ImageError`, or `RoomError` for a size out of range.
  init(for stream: VideoStream, _ choice: Choice) throws {
    guard 16...8192 ~= stream.width, 16...8192 ~= stream.height else {
      throw RoomError("frames must have 16x16 to 8192x8192 pixels")
    }
    let threads = UsableCores.count()
    let format = FrameFormat(
      width: stream.width, height: stream.height, colorimetry: stream.colorimetry)
    engine = VirtualBackgroundEngine(threads: threads)
    adapter =
      stream.format == .nv12
      ? nil : NV12Adapter(.i420, format: format, threads: threads)
    let (maker, source) = (NetworkMaker(), BackgroundSource())
    networks = SettingLoader(choice.quality) { quality, _ in
      try maker.makeNetwork(
        NetworkRequest(
          .ladder(quality, subjects: Subjects()), threads: threads, frameWidth: format.width,
          frameHeight: format.height))
    }
    backgrounds = SettingLoader(choice.background) { location, cancellation in
      if location.isEmpty { return nil }
      let request = PlateRequest(
        location: location,
        specification: PlateSpecification(format: format, fit: .cover, backgroundColor: 0))
      do throws(BackgroundError) {
        return try source.load(request, cancellation)
      } catch {
        throw ImageError(error)
      }
    }
    engine.configure(for: format)
    // Load the background first: if it is invalid, it fails sooner than the networks.
    show(try backgrounds.load())
    use(try networks.load().segmenters)
  }

  deinit {
    networks.stop()
    backgrounds.stop()
  }

  /// Switches to other networks at the next frame.
  func use(_ segmenters: Segmenters) { engine.use(segmenters) }

  /// Applies changed settings, and hides the real background in a frame.
  ///
  /// - Parameters:
  ///   - frame: NV12 or I420.
  ///   - settings: the effect.
  ///   - change: applies changed settings with `use` and `show`. If it throws, the frame is still
  ///     processed.
  /// - Throws: `SegmentationError`, if there is no matte. The frame is then unchanged. If only
  ///   `change` fails, a `FilterWarning` with its error.
  func process(
    _ frame: inout VideoFrame, settings: EffectSettings, after change: () throws -> Void
  ) throws {
    let changed = Result { try change() }
    try process(&frame, settings: settings)
    if case .failure(let error) = changed { throw FilterWarning(error) }
  }

  /// Hides the real background in a frame.
  ///
  /// - Throws: `SegmentationError`, if there is no matte. The frame is then unchanged.
  func process(_ frame: inout VideoFrame, settings: EffectSettings) throws {
    if isGap(before: frame.timestamp) { engine.reset() }
    lastTimestamp = frame.timestamp
    player.advance(to: frame.timestamp?.nanoseconds)
    if let plate = player.consumePlate() { engine.use(plate) }
    var settings = settings
    settings.onFailure = .error
    let outcome = unsafe frame.withPicture { picture in
      let frame = adapter?.open(picture) ?? Frame(luma: picture[0], chroma: picture[1])
      return engine.process(frame, into: adapter == nil ? nil : picture, settings: settings)
    }
    switch outcome {
    case .composed: break
    case .hidden(let error), .dropped(let error), .failed(let error): throw error
    case nil: throw RoomError("frames must be NV12 or I420")
    }
  }

  /// Changes the quality.
  ///
  /// The networks load on another thread. Until they are ready, the current networks stay in use.
  ///
  /// - Throws: once, if the networks cannot be loaded. The current networks then stay.
  func use(_ wanted: Quality) throws {
    if let network = try networks.next(wanted) { use(network.segmenters) }
  }

  /// Changes the image or video to another location.
  ///
  /// It loads on another thread. Until it is ready, the current background stays.
  ///
  /// - Throws: once, if it cannot be loaded. The current background then stays.
  func show(_ wanted: String) throws {
    if let background = try backgrounds.next(wanted) { show(background) }
    if let fault = player.consumeNews().fault { throw ImageError(fault) }
  }

  private func show(_ background: LoadedBackground?) {
    guard let background else {
      player.clear()
      engine.use(nil as Plate?)
      return
    }
    if let plate = player.show(background) { engine.use(plate) }
  }

  private func isGap(before timestamp: Duration?) -> Bool {
    guard let timestamp, let lastTimestamp else { return false }
    return timestamp < lastTimestamp || timestamp - lastTimestamp > Self.longestGap
  }
}

/// The reason why the background of a stream cannot be hidden.
struct RoomError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension VideoFrame {
  /// Calls a function with the planes and returns its result, or nil for RGBA.
  ///
  /// The planes are valid only during the call.
  @unsafe fileprivate mutating func withPicture<Result>(
    _ body: (PicturePlanes) -> Result
  ) -> Result? {
    guard format != .rgba else { return nil }
    let isInterleaved = format == .nv12
    let (luma, first, second) = unsafe (
      luma.plane, isInterleaved ? chroma.interleaved.plane : chroma.cb.plane, chroma.cr.plane
    )
    let picture = PicturePlanes(format: isInterleaved ? .nv12 : .i420) { number in
      switch number {
      case 0: luma
      case 1: first
      default: second
      }
    }
    return picture.map(body)
  }
}

extension FramePlane {
  /// The plane as the engine's type.
  ///
  /// It shares the memory and is valid while the frame is alive.
  @unsafe fileprivate var plane: Plane {
    mutating get {
      let (width, height) = (width, height)
      return unsafe withUnsafeMemory { base, stride in
        unsafe Plane(base: base, width: width, height: height, stride: stride)
      }
    }
  }
}
