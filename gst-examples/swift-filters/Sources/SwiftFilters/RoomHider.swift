import GstVideoFilterKit
import InferenceTypes
import PixelTypes
import Processor
import VirtualBackground

/// Hides the room in the frames of one stream, or says that it could not.
final class RoomHider {
  /// Frames further apart than this do not show the same scene any more.
  private static let longestGap = Duration.milliseconds(500)

  private let engine: VirtualBackgroundEngine
  /// Presents I420 as NV12; nil for NV12.
  private let adapter: NV12Adapter?
  private var lastTimestamp: Duration?

  private var networks: SettingLoader<Quality, RoomNetwork>
  private var plates: SettingLoader<String, Plate?>

  /// What is loaded: a network and, unless its path is empty, a picture.
  struct Choice: Equatable {
    let quality: Quality
    var picture = ""
  }

  /// What is at work, whatever is wanted.
  var choice: Choice { Choice(quality: networks.current, picture: plates.current) }

  /// Loads what is wanted for frames of a stream, or what was at work on the frames before these.
  ///
  /// It is the latter if the former fails: following the settings then fails once more, beside the
  /// stream.
  ///
  /// - Throws: `SegmentationError`, `ImageError`, or `RoomError` for frames of a size that is not
  ///   taken.
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

  /// Loads what is wanted for frames of a stream.
  ///
  /// - Throws: `SegmentationError`, `ImageError`, or `RoomError` for frames of a size that is not
  ///   taken.
  init(for stream: VideoStream, _ choice: Choice) throws {
    guard 16...8192 ~= stream.width, 16...8192 ~= stream.height else {
      throw RoomError("frames have to be of 16x16 to 8192x8192 pixels")
    }
    let threads = UsableCores.count()
    let kernels = InstructionSet.current.kernels
    let format = FrameFormat(
      width: stream.width, height: stream.height, colorimetry: stream.colorimetry)
    engine = VirtualBackgroundEngine(kernels: kernels, threads: threads)
    adapter =
      stream.format == .nv12
      ? nil : NV12Adapter(format: format, kernels: kernels, threads: threads)
    networks = SettingLoader(choice.quality) { quality, _ in
      try RoomNetwork(quality, frameWidth: format.width, frameHeight: format.height)
    }
    plates = SettingLoader(choice.picture) { path, isWanted in
      path.isEmpty ? nil : try ImageReader.read(path, isWanted: isWanted).plate(for: format)
    }
    engine.configure(for: format)
    // First what is quicker to fail.
    engine.use(try plates.load())
    use(try networks.load().segmenters)
  }

  deinit {
    networks.stop()
    plates.stop()
  }

  /// Works with other networks from the next frame on.
  func use(_ segmenters: Segmenters) { engine.use(segmenters) }

  /// Follows what users have set, and hides the room in a frame.
  ///
  /// - Parameters:
  ///   - frame: NV12 or I420.
  ///   - settings: what the frame is to look like.
  ///   - change: brings in what users have set; when it fails, what is at work stays and the
  ///     room is hidden nevertheless.
  /// - Throws: `SegmentationError`, when there is no matte; the frame is then as it was. Else a
  ///   `FilterWarning` of what `change` throws.
  func process(
    _ frame: inout VideoFrame, settings: EffectSettings, after change: () throws -> Void
  ) throws {
    let changed = Result { try change() }
    try process(&frame, settings: settings)
    if case .failure(let error) = changed { throw FilterWarning(error) }
  }

  /// Hides the room in a frame.
  ///
  /// - Throws: `SegmentationError`, when there is no matte; the frame is then as it was.
  func process(_ frame: inout VideoFrame, settings: EffectSettings) throws {
    if isGap(before: frame.timestamp) { engine.forgetPast() }
    lastTimestamp = frame.timestamp
    var settings = settings
    settings.onFailure = .error
    let outcome = unsafe frame.withPicture { picture in
      guard let adapter else {
        return engine.process(
          Frame(luma: picture[0], chroma: picture[1]), settings: settings)
      }
      let outcome = engine.process(adapter.open(picture), settings: settings)
      if case .composed = outcome { adapter.writeBack(to: picture) }
      return outcome
    }
    switch outcome {
    case .composed: break
    case .hidden(let error), .dropped(let error), .failed(let error): throw error
    case nil: throw RoomError("frames have to be NV12 or I420")
    }
  }

  /// Brings another network in, loaded off the streaming thread; the one at work stays until then.
  ///
  /// - Throws: what is wrong with it, once; the one at work stays then, too.
  func use(_ wanted: Quality) throws {
    if let network = try networks.next(wanted) { use(network.segmenters) }
  }

  /// Brings another picture in, by its path, loaded off the streaming thread; the one that is shown stays
  /// until then.
  ///
  /// - Throws: what is wrong with it, once; the one that is shown stays then, too.
  func show(_ wanted: String) throws {
    if let plate = try plates.next(wanted) { engine.use(plate) }
  }

  private func isGap(before timestamp: Duration?) -> Bool {
    guard let timestamp, let lastTimestamp else { return false }
    return timestamp < lastTimestamp || timestamp - lastTimestamp > Self.longestGap
  }
}

/// Why frames of a stream cannot be worked on.
struct RoomError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension VideoFrame {
  /// Calls a function with the planes, which are valid during the call; nil for RGBA.
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
  /// The same memory, as the engine names it; valid for as long as the frame.
  @unsafe fileprivate var plane: Plane {
    mutating get {
      let (width, height) = (width, height)
      return unsafe withUnsafeMemory { base, stride in
        unsafe Plane(base: base, width: width, height: height, stride: stride)
      }
    }
  }
}
