import CGStreamer
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// What becomes of the transparent person in GStreamer's own `compositor`: over a colour it is what
/// `effect=color` shows, but for the edge itself.
@Suite struct CompositorTests {
  /// Both ways get the same frame, of colours that stay within RGB when they are mixed.
  ///
  /// The element blends chroma at half the size and `compositor` at the full one, so the two are
  /// compared where both have samples: luma by pixels, chroma by the means of two by two of them.
  @Test(arguments: [PixelFormat.ayuv, .rgba, .a420, .argb], [0, 20])
  func overAColorItIsTheEffectColor(_ format: PixelFormat, _ feather: Int) throws {
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
    // On the edge the colours of the transparent person are those of the person around.
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
    // A feather reaches into the room; chroma that steps there is interpolated first by the one and
    // blended first by the other.
    #expect(worstChroma <= (feather == 0 ? 2 : 7))
    // That there was an edge to be blended.
    #expect(partial >= 2 * height)
  }

  /// Luma, Cb and Cr of a pixel; of one of red, green and blue by the definition of BT.601.
  private func values(_ picture: TestPlanes, _ x: Int, _ y: Int) -> [Double] {
    let samples = picture.samples(x, y).map { Double($0) }
    if !picture.pixelFormat.isRGB { return samples }
    let level = 0.299 * samples[0] + 0.587 * samples[1] + 0.114 * samples[2]
    let (blue, red) = ((samples[2] - level) / 1.772, (samples[0] - level) / 1.402)
    return [16 + level * 219 / 255, 128 + blue * 224 / 255, 128 + red * 224 / 255]
  }

  /// A red person in a grey room of two shades.
  private func scene(_ format: FrameFormat) -> TestPicture {
    let picture = TestPicture(format: format)
    picture.paint(red: 120, green: 118, blue: 122)
    picture.paint(red: 150, green: 146, blue: 154) { x, y in (x / 4 + y / 4) % 2 == 0 }
    picture.paint(red: 170, green: 80, blue: 90) { x, _ in Room.isPerson(x, width: format.width) }
    return picture
  }

  /// The picture that comes out of a pipeline whose source is one frame of the room.
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
