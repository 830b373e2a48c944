#if canImport(Glibc)
  import Glibc
#endif
import GstVideoFilterKit
import Testing

@testable import SwiftFilters

@Suite(.enabled(if: SamplePerson.isInstalled), .serialized) struct FaceStickerTests {
  static let framings = [
    Framing(), Framing(turn: 20 * .pi / 180), Framing(turn: -20 * .pi / 180, x: 70, y: 40),
    Framing(zoom: 1.7, x: 60, y: 190), Framing(width: 641, height: 481, zoom: 0.8, x: -90),
    Framing(width: 1280, height: 720, zoom: 1.3, x: 300, y: 60),
  ]

  /// A bar in a colour that occurs nowhere else, three times as wide as high.
  private static let bar = ColorImage(
    width: 48, height: 16, bytes: (0..<768).flatMap { _ in [0, 255, 255, 255] as [UInt8] })

  /// The position of the bar in a picture.
  private struct Mark {
    /// Its middle, if it is anywhere.
    let middle: (x: Double, y: Double)
    /// The direction in which it is long: radians, clockwise as seen.
    let lean: Double
    /// From end to end in that direction.
    let length: Double
    /// How many pixels it has.
    let count: Int

    init(_ bytes: [UInt8], over before: [UInt8], of stream: VideoStream) {
      let coded = Coded(stream: stream)
      var places: [(x: Double, y: Double)] = []
      for y in 0..<stream.height {
        for x in 0..<stream.width {
          let color = coded.color(bytes, x, y)
          if color.x < 60, color.y > 200, color.z > 200, color != coded.color(before, x, y) {
            places.append((Double(x) + 0.5, Double(y) + 0.5))
          }
        }
      }
      func mean(_ value: (Double, Double) -> Double) -> Double {
        places.reduce(0) { $0 + value($1.x, $1.y) } / Double(max(places.count, 1))
      }
      let (x, y) = (mean { x, _ in x }, mean { _, y in y })
      let xx = mean { at, _ in (at - x) * (at - x) }
      let yy = mean { _, at in (at - y) * (at - y) }
      let xy = mean { ($0 - x) * ($1 - y) }
      middle = (x, y)
      lean = atan2(2 * xy, xx - yy) / 2
      // The variance along a bar is a twelfth of its length's square.
      let spread = hypot(xx - yy, 2 * xy)
      length = (6 * (xx + yy + spread)).squareRoot()
      count = places.count
    }
  }

  /// The middle between the eyes, their distance, and how it leans.
  private func eyes(
    _ framing: Framing, _ image: ColorImage
  ) -> (x: Double, y: Double, apart: Double, lean: Double) {
    let eyes = SamplePerson.eyes.map { framing.place($0, of: image) }
    let (right, down) = (eyes[1].x - eyes[0].x, eyes[1].y - eyes[0].y)
    return (
      (eyes[0].x + eyes[1].x) / 2, (eyes[0].y + eyes[1].y) / 2, hypot(right, down),
      atan2(down, right)
    )
  }

  private func frame(_ framing: Framing, _ stream: VideoStream, _ image: ColorImage) -> [UInt8] {
    Coded(stream: stream).bytes(framing.picture(of: image))
  }

  private func stream(_ framing: Framing, _ format: VideoFrame.Format) -> VideoStream {
    VideoStream(width: framing.width, height: framing.height, format: format)
  }

  @Test(arguments: framings, VideoFrame.Format.allCases)
  func coversTheEyes(_ framing: Framing, _ format: VideoFrame.Format) throws {
    let image = try SamplePerson.image()
    let stream = stream(framing, format)
    let before = frame(framing, stream, image)
    // A small face tilts a bit at first, so check the later frames more strictly.
    var frames = Array(repeating: before, count: 5)
    let file = try TemporaryFile(png: Self.bar)
    var filter = FaceSticker()
    filter.image = file.path
    try filter.process(&frames, of: stream, every: .nanoseconds(33_333_333))
    let mark = Mark(frames[4], over: before, of: stream)
    let eyes = eyes(framing, image)
    #expect(hypot(mark.middle.x - eyes.x, mark.middle.y - eyes.y) < 0.15 * eyes.apart)
    #expect(abs(mark.lean - eyes.lean) < 4 * .pi / 180, "\(mark.lean) for \(eyes.lean)")
    // Faces are about two distances of the eyes wide.
    #expect(1.7...2.3 ~= mark.length / eyes.apart, "\(mark.length / eyes.apart)")
  }

  @Test(arguments: VideoFrame.Format.allCases)
  func glassesNeedNoFile(_ format: VideoFrame.Format) throws {
    let image = try SamplePerson.image()
    let stream = stream(Framing(), format)
    let coded = Coded(stream: stream)
    let before = frame(Framing(), stream, image)
    var after = before
    var filter = FaceSticker()
    try filter.process(&after, of: stream)
    func light(_ bytes: [UInt8], _ place: (x: Double, y: Double)) -> Double {
      let color = coded.color(bytes, Int(place.x), Int(place.y))
      return color.sum() / 3
    }
    // Skin under a lens is darker by a quarter, under the bridge it cannot be seen.
    let lens = Framing().place((x: 202, y: 110), of: image)
    #expect(0.68...0.88 ~= light(after, lens) / light(before, lens))
    let apart = (0..<20).map { Framing().place((x: 225, y: 90 + Double($0)), of: image) }
    #expect(apart.map { light(after, $0) }.min() ?? 255 < 45)
    #expect(apart.map { light(before, $0) }.min() ?? 0 > 90)
    // Beside the head nothing is changed.
    let wall = Framing().place((330, 150), of: image)
    #expect(light(before, wall) == light(after, wall))
  }

  @Test func followsTheFaceAndDisappearsWithIt() throws {
    let image = try SamplePerson.image()
    let stream = stream(Framing(), .nv12)
    let places = (0..<20).map { Framing(turn: 0.01 * Double($0), x: 4 * Double($0)) }
    let empty = Coded(stream: stream).bytes(
      Array(repeating: SIMD3(128, 128, 128), count: stream.width * stream.height))
    let before = places.map { frame($0, stream, image) } + Array(repeating: empty, count: 15)
    var after = before
    let file = try TemporaryFile(png: Self.bar)
    var filter = FaceSticker()
    filter.image = file.path
    try filter.process(&after, of: stream, every: .nanoseconds(33_333_333))
    for (index, framing) in places.enumerated() {
      let mark = Mark(after[index], over: before[index], of: stream)
      let eyes = eyes(framing, image)
      // The face moves by one and a half of its widths per second. At most two frames are late.
      #expect(hypot(mark.middle.x - eyes.x, mark.middle.y - eyes.y) < 14, "\(index)")
      #expect(abs(mark.lean - eyes.lean) < 6 * .pi / 180, "\(index)")
    }
    // The sticker stays for a fifth of a second and then disappears.
    #expect(Mark(after[21], over: before[21], of: stream).count > 100)
    for index in 28..<35 { #expect(after[index] == before[index]) }
  }

  @Test func theStickerStaysBetweenDetections() throws {
    let image = try SamplePerson.image()
    let stream = stream(Framing(), .i420)
    let before = (0..<6).map { frame(Framing(x: 6 * Double($0)), stream, image) }
    let file = try TemporaryFile(png: Self.bar)
    var filter = FaceSticker()
    filter.image = file.path
    filter.detections = 10
    var after = before
    try filter.process(&after, of: stream, every: .nanoseconds(33_333_333))
    let middles = zip(before, after).map { Mark($1, over: $0, of: stream).middle.x }
    // The picture under its edge keeps moving.
    #expect(abs(middles[1] - middles[0]) < 0.5 && abs(middles[2] - middles[0]) < 0.5)
    #expect(middles[3] - middles[2] > 6)
    #expect(abs(middles[4] - middles[3]) < 0.5 && abs(middles[5] - middles[3]) < 0.5)
  }

  @Test func drawsAFile() throws {
    let image = try SamplePerson.image()
    let stream = stream(Framing(), .rgba)
    let before = frame(Framing(), stream, image)
    let pixels = (0..<300).flatMap {
      $0 % 30 < 15 ? [10, 250, 20, 255] : [10, 20, 250, 0] as [UInt8]
    }
    let file = try TemporaryFile(png: ColorImage(width: 30, height: 10, bytes: pixels))
    var filter = FaceSticker()
    filter.image = file.path
    filter.scale = 0.8
    filter.offsetY = 0.5
    var after = before
    try filter.process(&after, of: stream)
    let coded = Coded(stream: stream)
    // Half of the file is green, half is transparent. The mouth is half a face below the eyes.
    let (green, nothing, eye) = ((64 + 208, 137), (64 + 242, 137), (64 + 202, 85))
    #expect(coded.color(after, green.0, green.1) == SIMD3(10, 250, 20))
    for place in [nothing, eye] {
      #expect(
        coded.color(after, place.0, place.1) == coded.color(before, place.0, place.1))
    }
  }

  @Test func aBrokenFileIsReported() throws {
    let stream = stream(Framing(), .nv12)
    var bytes = frame(Framing(), stream, try SamplePerson.image())
    let garbage = try TemporaryFile(Array("no picture at all".utf8))
    let whole = PNGFile.bytes(Glasses.image)
    let half = try TemporaryFile(Array(whole[..<(whole.count / 2)]))
    for path in ["/nowhere/sticker.png", garbage.path, half.path, "/tmp"] {
      var filter = FaceSticker()
      filter.image = path
      let error = #expect(throws: ImageError.self) {
        try filter.process(&bytes, of: stream)
      }
      #expect(error?.description.contains(path) == true)
      // After frames of another size, the previous picture stays.
      filter.image = ""
      try filter.process(&bytes, of: stream)
      filter.image = path
      try filter.process(&bytes, of: stream)
    }
  }

  /// During playback the old picture stays until the new one is ready.
  @Test func theFileCanBeChanged() throws {
    let stream = stream(Framing(), .nv12)
    let image = try SamplePerson.image()
    let before = frame(Framing(), stream, image)
    var changing = Changing()
    let red = ColorImage(
      width: 8, height: 8, bytes: (0..<64).flatMap { _ in [250, 0, 0, 255] as [UInt8] })
    let file = try TemporaryFile(png: red)
    changing.path = file.path
    var after = Array(repeating: before, count: 40)
    try changing.process(&after, of: stream, every: .nanoseconds(33_333_333))
    let coded = Coded(stream: stream)
    let (x, y) = (64 + 225, 102 - 16)
    #expect(coded.color(after[4], x, y).z > 60)
    let last = coded.color(after[39], x, y)
    #expect(last.x > 240 && last.z < 10)
    // The broken picture is reported once.
    #expect(changing.errors == 1)
  }

  /// Changes the picture between frames, as users do: to a broken one, then to a good one.
  private struct Changing: VideoFilter {
    static let id = "changing", name = "Changing"
    var path = ""
    var errors = 0
    private var sticker = FaceSticker()
    private var frames = 0

    mutating func setUp(for stream: VideoStream) throws { try sticker.setUp(for: stream) }
    mutating func tearDown() { sticker.tearDown() }
    mutating func process(_ frame: inout VideoFrame) throws {
      if frames == 5 { sticker.image = "/nowhere/sticker.png" }
      if frames == 15 { sticker.image = path }
      // The reading runs in parallel to the frames.
      if frames > 5 { usleep(20000) }
      frames += 1
      do { try sticker.process(&frame) } catch { errors += 1 }
    }
  }
}
