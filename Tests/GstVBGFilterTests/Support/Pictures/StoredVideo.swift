import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

/// A video to encode for a test.
///
/// Its pictures are gray and differ in luma.
struct StoredVideo: Sendable {
  /// The container format and the codec.
  enum Encoding: String, CaseIterable, Codable, Sendable {
    case rawMatroska = "matroskamux"
    case motionJPEG = "jpegenc quality=100 idct-method=islow ! avimux"
    case webm = "vp8enc deadline=1 target-bitrate=4000000 ! webmmux"
    case mp4 = "x264enc qp-max=4 speed-preset=veryfast ! mp4mux"
    case transportStream = "x264enc qp-max=4 speed-preset=veryfast ! h264parse ! mpegtsmux"
    case png = "videoconvert ! pngenc ! qtmux"
  }

  let lumas: [UInt8]
  var width = 64
  var height = 36
  /// Pictures per second, as a fraction.
  var rate = (numerator: 25, denominator: 1)
  var caps = ""

  /// Returns a luma for each of `count` pictures, far from the luma of its neighbours.
  static func lumas(_ count: Int) -> [UInt8] {
    // These values are far from the marks of the room.
    (0..<count).map { UInt8(64 + $0 * 7 % 23 * 6) }
  }

  /// Duration of a picture in nanoseconds.
  var interval: UInt64 { 1_000_000_000 * UInt64(rate.denominator) / UInt64(rate.numerator) }

  /// Duration of the video in nanoseconds.
  var length: UInt64 {
    1_000_000_000 * UInt64(rate.denominator) * UInt64(lumas.count) / UInt64(rate.numerator)
  }

  /// Returns the expected luma at `time`, counted from the first use of the video.
  func luma(at time: UInt64) -> UInt8 {
    // Containers round times by up to a millisecond.
    let inside = (time + 1_000_000) % length
    return lumas[min(Int(inside / interval), lumas.count - 1)]
  }

  /// Returns the bytes of a file.
  func encoded(as encoding: Encoding) throws -> [UInt8] {
    let chroma = (width + 1) / 2 * ((height + 1) / 2)
    // The rows of I420 begin at multiples of four bytes.
    try #require(width % 8 == 0 && height % 2 == 0)
    let frames = lumas.map { luma in
      Array(repeating: luma, count: width * height) + Array(repeating: 128, count: 2 * chroma)
    }
    let caps =
      "video/x-raw,format=I420,width=\(width),height=\(height)"
      + ",framerate=\(rate.numerator)/\(rate.denominator)\(self.caps)"
    return try Self.encode(frames, caps: caps, interval: interval, by: encoding.rawValue)
  }

  /// Encodes raw frames with the elements of `pipeline`.
  static func encode(
    _ frames: [[UInt8]], caps: String, interval: UInt64, by pipeline: String
  ) throws -> [UInt8] {
    let folder = TemporaryFolder()
    let path = folder.write("video")
    let made = try RunningPipeline(
      "appsrc name=source format=time caps=\(caps) ! \(pipeline) ! filesink location=\(path)")
    try #require(made.change(to: GST_STATE_PLAYING))
    for (index, frame) in frames.enumerated() {
      let buffer = unsafe gst_buffer_new_memdup(frame, gsize(frame.count))
      unsafe buffer?.pointee.pts = GstClockTime(UInt64(index) * interval)
      unsafe buffer?.pointee.duration = GstClockTime(interval)
      unsafe try made.push(buffer)
    }
    try made.endStream()
    try made.waitForEnd()
    return TestFile.bytes(path)
  }
}

extension TemporaryFolder {
  /// Writes a video and returns its path.
  func write(
    _ video: StoredVideo, as encoding: StoredVideo.Encoding = .rawMatroska, name: String = "video"
  ) throws -> String {
    try write(name, video.encoded(as: encoding))
  }
}

extension TestFilter {
  /// Returns the luma of the background in a frame at `time`.
  func backgroundLuma(at time: UInt64) throws -> Int {
    try process(time: time).luma(0, 0)
  }

  /// Expects the luma of a background in a frame at `time`.
  func expect(
    _ luma: UInt8, at time: UInt64, tolerance: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let seen = try backgroundLuma(at: time)
    #expect(abs(seen - Int(luma)) <= tolerance, "at \(time)", sourceLocation: sourceLocation)
  }

  /// Waits for these pictures of a video, one after the other.
  func wait(for pictures: Range<Int>, of video: StoredVideo, tolerance: Int = 1) throws {
    for time in pictures.map({ UInt64($0) * video.interval }) {
      try wait(forLuma: video.luma(at: time), at: time, tolerance: tolerance)
    }
  }

  /// Pushes frames with the same time until the background has a luma, within `tolerance`.
  ///
  /// - Returns: the lumas before that.
  @discardableResult
  func wait(forLuma luma: UInt8, at time: UInt64, tolerance: Int = 1) throws -> [Int] {
    var seen: [Int] = []
    try Patience.wait(
      "waited in vain for \(luma) at \(time), saw \(seen.suffix(3)); \(messages().map(\.text))",
      until: {
        let shown = try backgroundLuma(at: time)
        if abs(shown - Int(luma)) <= tolerance { return true }
        seen.append(shown)
        return false
      })
    return seen
  }
}
