import GstVideoFilterKit
import PixelTypes
import Processor
import VirtualBackground

/// Hides the room in the frames of one stream, or says that it could not.
final class RoomHider {
  /// Frames further apart than this do not show the same scene any more.
  private static let longestGap = Duration.milliseconds(500)

  private let engine: VirtualBackgroundEngine
  /// What shows I420 as NV12; nil for NV12.
  private let view: FrameView?
  private let format: FrameFormat
  private var lastTimestamp: Duration?

  private var quality: Quality
  private var nextNetwork: BesideStream<RoomNetwork>?
  private var picture: String
  private var nextPlate: BesideStream<Plate?>?

  /// Loads a network and, unless its path is empty, a picture for frames of a stream.
  ///
  /// - Throws: `SegmentationError`, `PictureError`, or `RoomError` for frames of a size that is not
  ///   taken.
  init(for stream: VideoStream, quality: Quality, picture: String = "") throws {
    guard 16...8192 ~= stream.width, 16...8192 ~= stream.height else {
      throw RoomError("frames have to be of 16x16 to 8192x8192 pixels")
    }
    let threads = UsableCores.count()
    let kernels = InstructionSet.current.kernels
    format = FrameFormat(
      width: stream.width, height: stream.height, colorimetry: stream.colorimetry)
    engine = VirtualBackgroundEngine(kernels: kernels, threads: threads)
    view =
      stream.format == .nv12
      ? nil : FrameView(format: format, kernels: kernels, threads: threads)
    self.quality = quality
    self.picture = picture
    engine.configure(for: format)
    use(try RoomNetwork(quality, frameWidth: format.width, frameHeight: format.height).segmenters)
    engine.use(try Self.plate(picture, format))
  }

  deinit {
    nextNetwork?.join()
    nextPlate?.join()
  }

  /// Works with other networks from the next frame on.
  func use(_ segmenters: Segmenters) { engine.use(segmenters) }

  /// Hides the room in a frame.
  ///
  /// - Throws: `SegmentationError`, when there is no matte; the frame is then as it was.
  func process(_ frame: inout VideoFrame, settings: EffectSettings) throws {
    if isGap(before: frame.timestamp) { engine.forgetPast() }
    lastTimestamp = frame.timestamp
    var settings = settings
    settings.onFailure = .error
    let outcome = unsafe frame.withPicture { picture in
      guard let view else {
        return engine.process(
          Frame(luma: picture[0], chroma: picture[1]), settings: settings)
      }
      let outcome = engine.process(view.open(picture), settings: settings)
      if case .composed = outcome { view.writeBack(to: picture) }
      return outcome
    }
    switch outcome {
    case .composed: break
    case .hidden(let error), .dropped(let error), .failed(let error): throw error
    case nil: throw RoomError("frames have to be NV12 or I420")
    }
  }

  /// Brings another network in, loaded beside the stream; the one at work stays until then.
  ///
  /// - Throws: what is wrong with it, once; the one at work stays then, too.
  func use(_ wanted: Quality) throws {
    if let outcome = nextNetwork?.poll() {
      nextNetwork?.join()
      nextNetwork = nil
      use(try outcome.get().segmenters)
    }
    guard wanted != quality, nextNetwork == nil else { return }
    quality = wanted
    let format = format
    nextNetwork = BesideStream {
      try RoomNetwork(wanted, frameWidth: format.width, frameHeight: format.height)
    }
  }

  /// Brings another picture in, by its path, loaded beside the stream; the one that is shown stays
  /// until then.
  ///
  /// - Throws: what is wrong with it, once; the one that is shown stays then, too.
  func show(_ wanted: String) throws {
    if let outcome = nextPlate?.poll() {
      nextPlate?.join()
      nextPlate = nil
      engine.use(try outcome.get())
    }
    guard wanted != picture, nextPlate == nil else { return }
    picture = wanted
    let format = format
    nextPlate = BesideStream { try Self.plate(wanted, format) }
  }

  private static func plate(_ path: String, _ format: FrameFormat) throws -> Plate? {
    path.isEmpty ? nil : try BackgroundPicture(path).plate(for: format)
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
