import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

/// A file of `NoisyRoom` with pictures in its tags, written through the filter.
struct RoomFile {
  /// The container format, and in some cases the codec.
  enum Container: CaseIterable, Sendable {
    case matroska, quickTime, motionJPEG, mp4, avi

    /// The elements after the filter.
    var muxing: String {
      switch self {
      case .matroska: "video/x-raw, format={I420, GRAY8, AYUV} ! matroskamux"
      case .quickTime: "videoconvert ! video/x-raw, format=UYVY ! qtmux"
      case .motionJPEG: "videoconvert ! jpegenc ! qtmux"
      case .mp4: "videoconvert ! x264enc speed-preset=ultrafast ! mp4mux"
      case .avi: "videoconvert ! video/x-raw, format=I420 ! avimux"
      }
    }

    /// The elements that not every installation has.
    var elements: [String] {
      switch self {
      case .matroska: ["matroskamux", "matroskademux"]
      case .quickTime: ["qtmux", "qtdemux"]
      case .motionJPEG: ["jpegenc", "qtmux"]
      case .mp4: ["x264enc", "mp4mux"]
      case .avi: ["avimux"]
      }
    }

    /// Whether the file contains the planes of frames unchanged.
    var keepsPlanes: Bool { self == .matroska || self == .avi }

    /// Whether every version of GStreamer writes pictures in tags to the file.
    var writesPictures: Bool { self != .matroska && self != .avi }
  }

  /// The format of the frames.
  static func stream() throws -> StreamFormat { try StreamFormat(.i420, width: 160, height: 90) }

  static let frameTime: UInt64 = 33_333_333
  private static let cover = CoverPicture(seed: 21, startsLikeJPEG: true)

  let path: String
  private let folder = TemporaryFolder()

  /// Writes a number of frames through a filter with some properties.
  ///
  /// `beforeFrame` may change the properties.
  init(
    _ container: Container, frames: Int, _ properties: String,
    beforeFrame: (RunningPipeline) -> Void = { _ in }
  ) throws {
    path = folder.path + "/room"
    let stream = try Self.stream()
    let pipeline = try RunningPipeline(
      "appsrc name=source format=time caps=\"\(stream.caps)\" ! "
        + "vbgfilter name=filter model=good \(properties) ! \(container.muxing) ! "
        + "filesink location=\(path)")
    let source = unsafe try pipeline.element("source")
    for kind in [PictureEvent.image, .previewImage, .attachment, .applicationData, .globalTag] {
      try #require(unsafe gst_element_send_event(source, kind.make(Self.cover)) != 0, "\(kind)")
    }
    try #require(pipeline.change(to: GST_STATE_PLAYING))
    for frame in 0..<frames {
      beforeFrame(pipeline)
      let buffer = unsafe try stream.makeNoisyBuffer(FrameLayout(isDescribed: false))
      unsafe buffer.pointee.pts = GstClockTime(UInt64(frame) * Self.frameTime)
      unsafe buffer.pointee.duration = GstClockTime(Self.frameTime)
      unsafe try pipeline.push(buffer)
    }
    try pipeline.endStream()
    try pipeline.waitForEnd()
  }

  /// The bytes of the room in raw frames.
  static func room() throws -> Secrets { NoisyRoom.secrets(of: try stream().frameFormat) }

  /// The bytes of the picture in the tags.
  static var picture: Secrets { cover.secrets }

  /// Whether the file contains any of the secrets.
  func holds(_ secrets: Secrets) throws -> Bool {
    let bytes = TestFile.bytes(path)
    try #require(bytes.count > 1000)
    return unsafe bytes.withUnsafeBufferPointer { unsafe secrets.areSeen(in: $0) }
  }
}
