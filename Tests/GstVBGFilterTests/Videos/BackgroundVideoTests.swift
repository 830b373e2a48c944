import CGStreamer
import TestSupport
import Testing

@testable import GstBackground
@testable import GstVBGFilter

/// A video as the background: each frame shows the picture for its running time.
@Suite struct BackgroundVideoTests {
  private let folder = TemporaryFolder()

  /// Makes a filter with a video as its background.
  private func play(
    _ video: StoredVideo, as encoding: StoredVideo.Encoding = .rawMatroska,
    _ properties: [String: String] = [:]
  ) throws -> TestFilter {
    let path = try folder.write(video, as: encoding)
    return try TestFilter(["background-path": path].with(properties))
  }

  /// Returns frame times at 30 frames per second.
  private static func frameTime(_ index: Int) -> UInt64 { UInt64(index) * 1_000_000_000 / 30 }

  @Test(arguments: [(30, 1), (25, 1), (25, 2), (60, 1)])
  func eachFrameShowsThePictureOfItsTimeOverSeveralLoops(numerator: Int, denominator: Int) throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(15), rate: (numerator, denominator))
    let filter = try play(video)
    let frames = Int(video.length * 7 / 2 * 30 / 1_000_000_000)
    for index in 0..<frames {
      let time = Self.frameTime(index)
      let seen = try filter.wait(forLuma: video.luma(at: time), at: time)
      // The element must not show any later picture first.
      let before = Self.frameTime(max(index - 1, 0))
      let passed = stride(from: before, through: time, by: 1_000_000).map { video.luma(at: $0) }
      #expect(seen.allSatisfy { luma in passed.contains { abs(Int($0) - luma) <= 1 } })
    }
    #expect(filter.messages().isEmpty)
  }

  @Test(arguments: StoredVideo.Encoding.allCases)
  func everyContainerLoops(_ encoding: StoredVideo.Encoding) throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(12))
    let filter = try play(video, as: encoding)
    for index in 0..<(12 * 5 / 2) {
      let time = UInt64(index) * video.interval
      // JPEG has full range, but the stream has limited range.
      let luma = Double(video.luma(at: time))
      let shown = encoding == .motionJPEG ? 16 + luma * 219 / 255 : luma
      try filter.wait(forLuma: UInt8(shown.rounded()), at: time, tolerance: 2)
    }
    #expect(filter.messages().isEmpty)
  }

  @Test func aVideoWithOnePictureIsAStillPicture() throws {
    let video = StoredVideo(lumas: [77])
    let filter = try play(video)
    for index in 0..<40 { try filter.expect(77, at: Self.frameTime(index)) }
    guard case .image = try BackgroundContent.open(try folder.write(video)) else {
      Issue.record("taken for a video")
      return
    }
  }

  @Test("starts a video that is set while playing at its first picture")
  func startsLateVideoAtFirstPicture() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(20))
    let path = try folder.write(video)
    let filter = try TestFilter(["effect": "color"])
    let start: UInt64 = 7_000_000_000
    _ = try filter.process(time: start)
    filter.set("effect", "replace")
    filter.set("background-path", path)
    // The colour stays until the first picture is ready. The time does not advance meanwhile.
    try filter.wait(forLuma: video.lumas[0], at: start)
    for step: UInt64 in [100, 300, 500] {
      try filter.wait(forLuma: video.luma(at: step * 1_000_000), at: start + step * 1_000_000)
    }
  }

  @Test func theVideoPausesWithTheStream() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(20))
    let filter = try play(video)
    try filter.wait(forLuma: video.lumas[0], at: 0)
    try filter.wait(forLuma: video.lumas[5], at: 5 * video.interval)
    g_usleep(300_000)
    try filter.expect(video.lumas[5], at: 5 * video.interval)
    try filter.wait(forLuma: video.lumas[6], at: 6 * video.interval)
  }

  /// Running time restarts with a flush, but the background continues from its position.
  @Test func aSeekOfTheStreamDoesNotSeekTheBackground() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(20))
    let filter = try play(video)
    try filter.wait(forLuma: video.lumas[0], at: 0)
    try filter.wait(forLuma: video.lumas[4], at: 4 * video.interval)
    let start: UInt64 = 60_000_000_000
    try filter.flush(thenFrom: start)
    try filter.expect(video.lumas[4], at: start)
    for step: UInt64 in 1...3 {
      try filter.wait(forLuma: video.lumas[4 + Int(step)], at: start + step * video.interval)
    }
    #expect(filter.messages().isEmpty)
  }

  @Test func theVideoPausesDuringPassthrough() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(20))
    let filter = try play(video)
    try filter.wait(forLuma: video.lumas[0], at: 0)
    try filter.wait(forLuma: video.lumas[3], at: 3 * video.interval)
    filter.set("active", "false")
    for index in 4..<10 { _ = try filter.process(time: UInt64(index) * video.interval) }
    filter.set("active", "true")
    try filter.expect(video.lumas[3], at: 10 * video.interval)
    try filter.wait(forLuma: video.lumas[4], at: 11 * video.interval)
  }

  @Test func framesWithoutATimeAreShownOneAfterTheOther() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(4), rate: (1, 1))
    let filter = try play(video)
    var seen: [Int] = []
    try Patience.wait(until: {
      let luma = try filter.process().luma(0, 0)
      if luma != seen.last { seen.append(luma) }
      return seen.count == 6
    })
    let expected = (0..<6).map { Int(video.lumas[$0 % 4]) }
    #expect(zip(seen, expected).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test func aVideoIsFittedLikeAPicture() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(10), width: 32, height: 64)
    let filter = try play(video, ["background-color": "\(Room.gray)", "fit": "contain"])
    let gray = filter.stream.frameFormat.colorimetry.codeValues(red: 128, green: 128, blue: 128)
    #expect(try filter.process(time: 0).luma(0, 0) == Int(gray.luma))
    filter.set("fit", "stretch")
    try filter.wait(forLuma: video.lumas[2], at: 2 * video.interval)
    filter.set("fit", "contain")
    filter.set("background-color", "\(UInt32(0xFF00_0000))")
    try filter.wait(forLuma: 16, at: 3 * video.interval)
    filter.set("fit", "cover")
    try filter.wait(forLuma: video.lumas[4], at: 4 * video.interval)
    #expect(filter.messages().isEmpty)
  }

  @Test func newCapsShowTheSamePicture() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(20))
    let filter = try play(video)
    try filter.wait(forLuma: video.lumas[0], at: 0)
    try filter.wait(forLuma: video.lumas[3], at: 3 * video.interval)
    for size in [(640, 360), (180, 320), (385, 289), (320, 180)] {
      try filter.renegotiate(width: size.0, height: size.1)
      let output = try filter.process(time: 3 * video.interval)
      #expect(Room.visiblePart(of: output) == 0)
      #expect(abs(output.luma(0, 0) - Int(video.lumas[3])) <= 1)
      #expect(abs(output.luma(size.0 - 1, size.1 - 1) - Int(video.lumas[3])) <= 1)
    }
    try filter.wait(forLuma: video.lumas[4], at: 4 * video.interval)
    #expect(filter.messages().isEmpty)
  }
}
