import CGStreamer
import CTestSupport
import Glibc
import TestSupport
import Testing
import Threads

@testable import GstBackground
@testable import GstVBGFilter

/// Decoding and looping a video when its elements stall or fail to seek, or when its pictures
/// cannot be shown.
@Suite struct BackgroundLoopTests {
  private let folder = TemporaryFolder()

  /// A format that loops by segment seeks, and one that loops by flushing seeks.
  private static let encodings = [StoredVideo.Encoding.rawMatroska, .transportStream]

  @Test(arguments: encodings)
  func aVideoWithIgnoredSeeksIsReopened(_ encoding: StoredVideo.Encoding) throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(8))
    let path = try folder.write(video, as: encoding)
    let played = try PlayedVideo(path) { Tampering.swallowSeeks($0) }
    try played.wait(for: 0..<28, of: video)
    #expect(played.fault == nil)
    // After that, each loop opens the file again without a seek. The decoder could seek now, and
    // the file is gone.
    try #require(unsafe unlink(path) == 0)
    var time = 28 * video.interval
    let fault = try Patience.wait {
      time += video.interval
      _ = played.luma(at: time)
      return played.fault
    }
    #expect(fault.kind == .notFound)
  }

  /// The wait for the second picture ends after a second, and the stream counts as a video.
  @Test("keeps decoding a video that stalls after its first picture")
  func keepsDecodingStalledVideo() throws {
    GStreamer.prepare()
    let video = StoredVideo(lumas: [70, 110, 150])
    let decoder = try BackgroundDecoder(uri: "file://" + folder.write(video))
    let gate = Gate()
    Tampering.holdLaterPictures(decoder, at: gate)
    gate.close()
    // The decoder can only be stopped after that.
    defer { gate.open() }
    let content = try decoder.open(isPicture: false, inSegments: true, within: Patience.limit) {
      false
    }
    let (first, isVideo) = try #require(content)
    try #require(isVideo)
    #expect(first.map(\.time) == [0])
    #expect(gate.holdsSomebody)
    gate.open()
    for index in 1..<UInt64(video.lumas.count) {
      let time = try Patience.wait { () throws(StreamEnded) -> UInt64?? in
        switch decoder.pull(waiting: 20_000_000) {
        case .picture(let picture): .some(picture.time)
        case .endOfPass, .endOfStream: throw StreamEnded()
        case .nothing: nil
        }
      }
      #expect(time == index * video.interval)
    }
    #expect(decoder.fault == nil)
  }

  @Test func reopeningLeaksNothing() async {
    await #expect(processExitsWith: .success) {
      use_one_arena()
      let folder = TemporaryFolder()
      let video = StoredVideo(lumas: [70, 90, 110])
      let path = try folder.write(video)
      // The video is closed at the end. While it plays, its resources vary, because they depend on
      // its phase between two openings.
      func play(loops: Int) throws {
        let played = try PlayedVideo(path) { Tampering.swallowSeeks($0) }
        try played.wait(for: 0..<3 * loops, of: video)
      }
      try play(loops: 30)
      let before = ProcessResources()
      try play(loops: 300)
      // A leaked pipeline per loop would add 6000 pages.
      let excess = before.excess(threads: 4, descriptors: 2, pages: 2000)
      #expect(excess == nil, "\(excess ?? "")")
    }
  }

  /// The seek never returns to the decoder's thread.
  @Test func aVideoWithAHangingSeekIsReopened() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(8))
    let gate = Gate()
    gate.close()
    let played = try PlayedVideo(try folder.write(video, as: .transportStream)) {
      Tampering.holdSeeks($0, at: gate)
    }
    try played.wait(for: 0..<20, of: video)
    #expect(played.fault == nil)
    gate.open()
  }

  /// The last picture stays while the decoder waits, and the right picture follows.
  @Test func noFrameWaitsForTheDecoder() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(23))
    let gate = Gate()
    gate.close()
    let played = try PlayedVideo(try folder.write(video)) { Tampering.holdPictures($0, at: gate) }
    try #require(gate.waitForArrival())
    let time: UInt64 = 50_000_000_000
    for second: UInt64 in 1..<50 { #expect(played.luma(at: second * 1_000_000_000) != nil) }
    #expect(gate.holdsSomebody)
    gate.open()
    try played.wait(forLuma: video.luma(at: time), at: time)
    #expect(played.fault == nil)
  }

  /// The demuxer of MPEG-TS may still refuse to seek when its first picture arrives.
  @Test("asks again at the end of a video that did not support seeking at its start")
  func asksAgainForSeeking() throws {
    // The rate is so low that there are several groups of clock references. With them, the demuxer
    // can answer at any time.
    let video = StoredVideo(lumas: StoredVideo.lumas(8), rate: (1, 1))
    let path = try folder.write(video, as: .transportStream)
    let played = try PlayedVideo(path) { decoder in decoder.loopMode = .none }
    // The element cannot open the file again.
    try #require(unsafe unlink(path) == 0)
    try played.wait(for: 0..<28, of: video)
    #expect(played.fault == nil)
  }

  @Test func aFileThatCannotSeekIsReopened() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(8))
    let path = try folder.write(video, as: .transportStream)
    let played = try PlayedVideo(path) { Tampering.refuseToGoBack($0) }
    try played.wait(for: 0..<28, of: video)
    #expect(played.fault == nil)
  }

  @Test func theLastPictureOfADeletedFileStays() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(4))
    let path = try folder.write(video, as: .transportStream)
    let played = try PlayedVideo(path) { Tampering.refuseToGoBack($0) }
    try #require(unsafe unlink(path) == 0)
    try played.wait(for: 0..<4, of: video)
    let fault = try #require(played.waitForFault())
    #expect(fault.kind == .notFound)
    #expect(abs(Int(played.luma(at: 9 * video.interval) ?? 0) - Int(video.lumas[3])) <= 2)
  }

  @Test func picturesThatCannotBeShownAreSkipped() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(6))
    let played = try PlayedVideo(try folder.write(video)) { Tampering.cutPictures($0) }
    try played.wait(for: 0..<4, of: video)
    // Four pictures of each pass can be shown.
    try played.wait(forLuma: video.lumas[0], at: 6 * video.interval)
    #expect(played.fault == nil)
  }

  @Test func aVideoWithoutMoreUsablePicturesEnds() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(90))
    let played = try PlayedVideo(try folder.write(video)) { Tampering.cutPictures($0) }
    try played.wait(for: 0..<4, of: video)
    let fault = try #require(played.waitForFault())
    #expect(fault.kind == .damaged)
    #expect(fault.description.contains("pictures that cannot be shown"))
    #expect(played.luma(at: 5 * video.interval) == video.lumas[3])
  }

  /// If pictures are too large to be kept, at least the newest is available.
  @Test func framesOfAnotherSizeShowALargePictureAtOnce() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(8))
    let played = try PlayedVideo(try folder.write(video), memory: 0) { _ in }
    try played.wait(for: 0..<12, of: video)
    for (width, height) in [(128, 72), (32, 64), (64, 36)] {
      try played.show(width: width, height: height)
      let luma = try #require(played.luma(at: 11 * video.interval))
      // The current picture or one of the next: each change of size may need one more.
      #expect((3...7).contains { abs(Int(video.lumas[$0]) - Int(luma)) <= 1 }, "\(luma)")
    }
    try played.wait(forLuma: video.lumas[7], at: 15 * video.interval)
    #expect(played.fault == nil)
  }

  @Test("shows each picture of a GIF for its own delay", .enabled(if: hasDecoder("avdemux_gif")))
  func delays() throws {
    let grays: [UInt8] = [0, 80, 160, 240], delays: [UInt8] = [50, 10, 1, 100]
    let bytes = PictureFiles.plainGIF(width: 64, height: 36, grays: grays, delays: delays)
    let played = try PlayedVideo(folder.write("delays.gif", bytes)) { _ in }
    for pass in 0..<2 as Range<UInt64> {
      // A delay of a hundredth of a second counts as a tenth.
      for (index, start) in [0, 500, 600, 700, 1690].enumerated() {
        let gray = grays[min(index, 3)]
        let luma = UInt8((16 + Double(gray) * 219 / 255).rounded())
        try played.wait(forLuma: luma, at: (pass * 1700 + UInt64(start)) * 1_000_000)
      }
    }
    #expect(played.fault == nil)
  }

  @Test(.enabled(if: hasDecoder("avdemux_gif")))
  func largePicturesAreNotKept() throws {
    let grays: [UInt8] = [0, 80, 160, 240]
    // Each picture takes 16 MiB.
    let bytes = PictureFiles.plainGIF(width: 2048, height: 2048, grays: grays)
    let path = folder.write("large.gif", bytes)
    func kept(memory: Int) throws -> Int {
      let played = try PlayedVideo(path, memory: memory) { _ in }
      for index in 0..<8 {
        let luma = UInt8((16 + Double(grays[index % 4]) * 219 / 255).rounded())
        try played.wait(forLuma: luma, at: UInt64(index) * 100_000_000)
      }
      // The decoder fills the available memory.
      try played.waitUntilAhead(by: memory == 0 ? 1 : 4)
      return played.end()
    }
    #expect(try kept(memory: 0) == 1)
    // The current picture and four ahead.
    #expect(try kept(memory: VideoBudget.maxBytes) == 5)
  }
}

/// The stream ended before the expected picture.
private struct StreamEnded: Error {}

/// A video with a decoder that the test manipulates.
///
/// The decoder runs on a thread like the element's.
private final class PlayedVideo {
  private let video: BackgroundVideo
  private let thread: Borrowed<VideoThread>
  private let decoding: HelperThread<Void>
  private var feed: PlateFeed
  private var shown: UInt8?

  /// Opens a video and calls `tamper` with its decoder before the third picture.
  ///
  /// Plates and pictures may use `memory` bytes.
  init(
    _ path: String, memory: Int = VideoBudget.maxBytes, tamper: (BackgroundDecoder) -> Void
  ) throws {
    GStreamer.prepare()
    guard case .video(let decoder, let first) = try BackgroundContent.open(path) else {
      throw BackgroundError(kind: .notAnImage, location: path, reason: "is no video")
    }
    tamper(decoder)
    let shared = Monitor(BackgroundVideo.SharedState())
    let thread = Borrowed(VideoThread(decoder, first: first, shared: shared, memory: memory))
    self.thread = thread
    decoding = HelperThread { thread.value.run() }
    video = BackgroundVideo(shared: shared)
    feed = try Self.feed(from: video, width: 64, height: 36)
  }

  private static func feed(
    from video: BackgroundVideo, width: Int, height: Int
  ) throws -> PlateFeed {
    let feed = video.makeFeed(
      PlateSpecification(
        format: try StreamFormat(.nv12, width: width, height: height).frameFormat, fit: .cover,
        backgroundColor: 0))
    try feed.waitForPlate(within: .seconds(60), location: "video", Cancellation())
    return feed
  }

  /// Ends the decoding and returns the number of decoded pictures that were kept.
  func end() -> Int {
    video.shared.change { $0.isClosed = true }
    decoding.join()
    return thread.value.pictures.count
  }

  /// Continues with frames of another size.
  func show(width: Int, height: Int) throws {
    feed = try Self.feed(from: video, width: width, height: height)
  }

  /// Waits until `count` plates are ready.
  func waitUntilAhead(by count: Int) throws {
    let isAhead = video.shared.wait(upTo: .seconds(60)) { $0.plates.count >= count ? true : nil }
    try #require(isAhead != nil, "waited in vain")
  }

  /// The fault that ended the video, if any.
  var fault: BackgroundError? { video.shared.withLock { $0.fault } }

  /// Waits up to a minute for the fault that ends the video.
  func waitForFault() -> BackgroundError? {
    video.shared.wait(upTo: .seconds(60)) { $0.fault }
  }

  /// Returns the luma of the picture at `time`.
  func luma(at time: UInt64) -> UInt8? {
    if let plate = feed.consumePlate(at: time) { shown = unsafe plate.frame.luma.row(0)[0] }
    return shown
  }

  /// Waits until the picture has a luma.
  func wait(forLuma wanted: UInt8, at time: UInt64) throws {
    try Patience.wait(
      "waited in vain for \(wanted) at \(time), saw \(shown ?? 0); \(String(describing: fault))",
      until: { luma(at: time).map { abs(Int($0) - Int(wanted)) <= 2 } ?? false })
  }

  /// Waits for these pictures, one after the other.
  func wait(for pictures: Range<Int>, of video: StoredVideo) throws {
    for time in pictures.map({ UInt64($0) * video.interval }) {
      try wait(forLuma: video.luma(at: time), at: time)
    }
  }
}

/// Manipulations of a video's decoder.
///
/// The probes run on the decoder's threads.
private enum Tampering {
  /// Reports success for seeks without doing them.
  static func swallowSeeks(_ decoder: BackgroundDecoder) {
    unsafe addProbe(GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, to: decoder) { _, info, _ in
      unsafe isSeek(info) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }

  /// Blocks seeks until the gate is open.
  static func holdSeeks(_ decoder: BackgroundDecoder, at gate: Gate) {
    unsafe addProbe(GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, to: decoder, gate) { _, info, gate in
      if unsafe isSeek(info) { unsafe pass(gate) }
      return GST_PAD_PROBE_OK
    }
  }

  /// Blocks further pictures until the gate is open.
  static func holdPictures(_ decoder: BackgroundDecoder, at gate: Gate) {
    unsafe addProbe(GST_PAD_PROBE_TYPE_BUFFER, to: decoder, gate) { _, _, gate in
      unsafe pass(gate)
      return GST_PAD_PROBE_OK
    }
  }

  /// Blocks all pictures except the first until the gate is open.
  static func holdLaterPictures(_ decoder: BackgroundDecoder, at gate: Gate) {
    unsafe addProbe(GST_PAD_PROBE_TYPE_BUFFER, to: decoder, gate) { _, info, gate in
      let buffer = unsafe info.flatMap { unsafe gst_pad_probe_info_get_buffer($0) }
      if let buffer = unsafe buffer, unsafe buffer.pointee.pts > 0 { unsafe pass(gate) }
      return GST_PAD_PROBE_OK
    }
  }

  /// Makes the stream report that it is not seekable, now and in later queries.
  static func refuseToGoBack(_ decoder: BackgroundDecoder) {
    decoder.loopMode = .none
    unsafe addProbe(GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, to: decoder) { _, info, _ in
      let query = unsafe info?.pointee.data?.assumingMemoryBound(to: GstQuery.self)
      return unsafe query?.pointee.type == GST_QUERY_SEEKING ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }

  /// Removes most bytes from all pictures except the first four, at 25 pictures per second.
  static func cutPictures(_ decoder: BackgroundDecoder) {
    unsafe addProbe(GST_PAD_PROBE_TYPE_BUFFER, to: decoder) { _, info, _ in
      guard let data = unsafe info?.pointee.data else { return GST_PAD_PROBE_OK }
      let buffer = unsafe data.assumingMemoryBound(to: GstBuffer.self)
      if unsafe buffer.pointee.pts > 140_000_000 {
        unsafe gst_buffer_remove_all_memory(buffer)
        unsafe gst_buffer_append_memory(buffer, gst_allocator_alloc(nil, 10, nil))
      }
      return GST_PAD_PROBE_OK
    }
  }

  private static func addProbe(
    _ type: GstPadProbeType, to decoder: BackgroundDecoder, _ gate: Gate? = nil,
    _ probe: GstPadProbeCallback
  ) {
    guard let pad = unsafe gst_element_get_static_pad(decoder.sink, "sink") else { return }
    unsafe gst_pad_add_probe(
      pad, type, probe, gate.map { unsafe Unmanaged.passRetained($0).toOpaque() },
      { gate in if let gate = unsafe gate { unsafe Unmanaged<Gate>.fromOpaque(gate).release() } })
    unsafe GStreamer.unref(pad)
  }
}

private func pass(_ gate: gpointer?) {
  if let gate = unsafe gate { unsafe Unmanaged<Gate>.fromOpaque(gate).takeUnretainedValue().pass() }
}

private func isSeek(_ info: UnsafeMutablePointer<GstPadProbeInfo>?) -> Bool {
  guard let data = unsafe info?.pointee.data else { return false }
  return unsafe data.assumingMemoryBound(to: GstEvent.self).pointee.type == GST_EVENT_SEEK
}
