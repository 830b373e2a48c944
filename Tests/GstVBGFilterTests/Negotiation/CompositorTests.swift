import CGStreamer
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// The transparent person in GStreamer's own `compositor`.
///
/// Over a colour, the result equals `effect=color` except at the edge.
@Suite struct CompositorTests {
  /// Both pipelines get the same frame.
  ///
  /// Its colours stay within RGB when they are mixed. The element blends chroma at half the size
  /// and `compositor` at full size. The test compares them at the common samples: luma per pixel,
  /// chroma by means of two by two pixels.
  @Test(arguments: [PixelFormat.ayuv, .rgba, .a420, .argb], [0, 20])
  func overAColorTheResultEqualsTheEffectColor(_ format: PixelFormat, _ feather: Int) throws {
    let (width, height) = (320, 180)
    let blended: PixelFormat = format == .a420 ? .ayuv : format
    let filter = "vbgfilter name=filter model=good smoothing=0 matte-feather=\(feather)"
    let size = "width=\(width),height=\(height),framerate=30/1"
    let composed = try picture(
      "\(filter) effect=transparent ! video/x-raw,format=\(format.name) ! mixer.sink_1 "
        + "videotestsrc pattern=solid-color foreground-color=0xff808080 num-buffers=1 ! "
        + "video/x-raw,format=\(blended.name),\(size) ! mixer.sink_0 "
        + "compositor name=mixer background=black sink_0::zorder=0 sink_1::zorder=1", blended)
    let colored = try picture(
      "\(filter) effect=color background-color=0xff808080", .nv12)
    let matte = try picture("\(filter) effect=matte", .gray8)
    // At the edge, the transparent person has the colours of the adjacent person.
    func isPlain(_ x: Int, _ y: Int, reach: Int) -> Bool {
      (max(y - reach, 0)...min(y + reach, height - 1)).allSatisfy { y in
        (max(x - reach, 0)...min(x + reach, width - 1)).allSatisfy {
          [0, 255].contains(matte.samples($0, y)[0])
        }
      }
    }
    var (worstLuma, worstChroma, worstOfAll, partial) = (0.0, 0.0, 0.0, 0)
    for y in 0..<height {
      for x in 0..<width {
        let sample = colored.samples(x, y).map { Double($0) }
        let difference = abs(values(composed, x, y)[0] - sample[0])
        worstOfAll = max(worstOfAll, difference)
        if isPlain(x, y, reach: 0) { worstLuma = max(worstLuma, difference) }
        if composed.pixel(x, y) != composed.pixel(0, 0), !Room.isPerson(x, width: width) {
          partial += 1
        }
        #expect(composed.alpha(x, y) == 255)
        guard x % 2 == 0, y % 2 == 0, isPlain(x, y, reach: 4) else { continue }
        for part in 1...2 {
          let block = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
          let mean = block.reduce(0) { $0 + values(composed, $1.0, $1.1)[part] } / 4
          worstChroma = max(worstChroma, abs(mean - sample[part]))
        }
      }
    }
    #expect(worstLuma <= 2)
    #expect(worstOfAll <= 16)
    // A feather extends into the room. At steps in chroma, one side interpolates first and the
    // other blends first.
    #expect(worstChroma <= (feather == 0 ? 2 : 7))
    // There must be an edge to blend.
    #expect(partial >= 2 * height)
  }

  /// Returns luma, Cb and Cr of a pixel, for RGB by the definition of BT.601.
  private func values(_ picture: TestPlanes, _ x: Int, _ y: Int) -> [Double] {
    let samples = picture.samples(x, y).map { Double($0) }
    if !picture.pixelFormat.isRGB { return samples }
    let level = 0.299 * samples[0] + 0.587 * samples[1] + 0.114 * samples[2]
    let (blue, red) = ((samples[2] - level) / 1.772, (samples[0] - level) / 1.402)
    return [16 + level * 219 / 255, 128 + blue * 224 / 255, 128 + red * 224 / 255]
  }

  /// Makes a picture of a red person in a room with two shades of grey.
  private func scene(_ format: FrameFormat) -> TestPicture {
    let picture = TestPicture(format: format)
    picture.paint(red: 120, green: 118, blue: 122)
    picture.paint(red: 150, green: 146, blue: 154) { x, y in (x / 4 + y / 4) % 2 == 0 }
    picture.paint(red: 170, green: 80, blue: 90) { x, _ in Room.isPerson(x, width: format.width) }
    return picture
  }

  /// Returns the output of a pipeline for one frame of the room.
  private func picture(_ pipeline: String, _ format: PixelFormat) throws -> TestPlanes {
    let stream = try StreamFormat(width: 320, height: 180)
    let made = try RunningPipeline(
      "appsrc name=source format=time caps=\"\(stream.caps)\" ! \(pipeline) ! "
        + "video/x-raw,format=\(format.name) ! appsink name=sink sync=false")
    try #require(made.change(to: GST_STATE_PLAYING))
    let buffer = unsafe stream.makeBuffer(scene(stream.frameFormat), hasMeta: false)
    unsafe (buffer.pointee.pts, buffer.pointee.duration) = (0, 33_333_333)
    unsafe try made.push(buffer)
    try made.endStream()
    let output = unsafe try #require(made.pull())
    defer { unsafe GStreamer.unrefMini(output) }
    return unsafe try StreamFormat(format, width: 320, height: 180).planes(in: output)
  }
}
