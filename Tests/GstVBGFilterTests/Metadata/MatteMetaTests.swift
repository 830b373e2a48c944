import CGStreamer
import CTestSupport
import CVBGFilter
import Testing

@testable import GstVBGFilter

/// `attach-matte`: the matte that a frame carries, and the frames without one.
@Suite struct MatteMetaTests {
  @Test func theAttachedMatteEqualsTheMatteEffect() throws {
    let filter = try TestFilter(["attach-matte": "true", "effect": "color"])
    let matte = try #require(try filter.matte())
    #expect((matte.width, matte.height) == (160, 90))
    #expect((matte.frameWidth, matte.frameHeight, matte.step) == (320, 180, 2))
    #expect(matte.samples.min() == 0)
    #expect(matte.samples.max() == 255)
    let shown = Alpha(try TestFilter(["effect": "matte"]).process())
    var (sum, greatest) = (0.0, 0.0)
    for y in 0..<matte.height {
      for x in 0..<matte.width {
        let pixels = [(0, 0), (1, 0), (0, 1), (1, 1)].map { right, down in
          shown.values[(2 * y + down) * shown.width + 2 * x + right]
        }
        let sample = Double(matte.samples[y * matte.width + x]) / 255
        let difference = abs(pixels.reduce(0, +) / 4 - sample)
        sum += difference
        greatest = max(greatest, difference)
      }
    }
    // Enlarging a sharp edge by two blurs it by a quarter of a sample on each side.
    #expect(greatest < 0.27)
    #expect(sum / Double(matte.samples.count) < 0.005)
  }

  @Test(arguments: [(16, 16), (17, 19), (385, 289), (641, 361)])
  func sizesThatDoNotFitTheGridReachBeyondTheFrame(_ width: Int, _ height: Int) throws {
    let filter = try TestFilter(width: width, height: height, ["attach-matte": "true"])
    let matte = try #require(try filter.matte())
    #expect((matte.frameWidth, matte.frameHeight) == (width, height))
    #expect((matte.width - 1) * matte.step < width && matte.width * matte.step >= width)
    #expect((matte.height - 1) * matte.step < height && matte.height * matte.step >= height)
    #expect(abs(matte.coverage - 0.5) < 0.15)
  }

  @Test func theAttachedMatteHasItsFinalShape() throws {
    let plain = try #require(try TestFilter(["attach-matte": "true"]).matte())
    let grown = try #require(try TestFilter(["attach-matte": "true", "matte-grow": "50"]).matte())
    #expect(grown.coverage > plain.coverage + 0.03)
  }

  /// A repeated result carries the matte that it was composed with.
  @Test(arguments: ["reuse-matte", "repeat-frame"])
  func aReusedMatteHasTheTimeOfItsInference(pacing: String) throws {
    let filter = try TestFilter(["attach-matte": "true", "target-fps": "10", "pacing": pacing])
    let mattes = try (0..<5).map {
      try #require(try filter.matte(time: UInt64($0) * 40_000_000))
    }
    #expect(mattes.map(\.isInferred) == [true, false, false, true, false])
    #expect(mattes.map(\.pts) == [0, 0, 0, 120_000_000, 120_000_000])
    if pacing == "repeat-frame" {
      #expect(try filter.statistic("repeated") == 3)
      #expect(mattes[1].samples == mattes[0].samples)
    }
  }

  @Test func attachingCanBeSwitchedWhilePlaying() throws {
    let filter = try TestFilter(["target-fps": "10"])
    #expect(try filter.matte(time: 0) == nil)
    filter.set("attach-matte", "true")
    // The time of a matte is known even if `attach-matte` was off at that time.
    let matte = try #require(try filter.matte(time: 40_000_000))
    #expect(!matte.isInferred && matte.pts == 0)
    filter.set("attach-matte", "false")
    #expect(try filter.matte(time: 80_000_000) == nil)
    filter.set("attach-matte", "true")
    #expect(try filter.matte(time: 120_000_000)?.pts == 120_000_000)
  }

  @Test(arguments: ["blur", "color", "hold"])
  func aHiddenFrameHasNoMatte(_ policy: String) throws {
    let filter = try TestFilter(["attach-matte": "true", "on-failure": policy])
    #expect(try filter.matte() != nil)
    filter.models.change("good") { $0.inferenceFailure = .init(.inferenceFailed, "out of order") }
    #expect(try filter.matte() == nil)
    filter.models.change("good") { $0.inferenceFailure = nil }
    #expect(try filter.matte() != nil)
  }

  @Test(arguments: [("active", "false"), ("effect", "none")])
  func aPassedFrameHasNoMatte(_ name: String, _ value: String) throws {
    let filter = try TestFilter(["attach-matte": "true"])
    #expect(try filter.matte() != nil)
    filter.set(name, value)
    #expect(try filter.matte() == nil)
  }

  /// The input buffer carries a matte from another vbgfilter.
  @Test func theMatteOfAnInputBufferIsReplaced() throws {
    let first = try TestFilter(["attach-matte": "true", "effect": "color"])
    let second = try TestFilter(["attach-matte": "true", "matte-grow": "50"])
    func process() throws -> (before: AttachedMatte?, after: AttachedMatte?) {
      let buffer = unsafe try first.output(of: first.makeBuffer(time: 7))
      let before = unsafe try AttachedMatte(of: buffer)
      // Remove the mask, so that the second element runs its own network.
      unsafe mask_detach_all(buffer)
      let output = unsafe try second.output(of: buffer)
      defer { unsafe GStreamer.unrefMini(output) }
      #expect(
        unsafe gst_buffer_get_n_meta(output, g_type_from_name(GST_VBG_MATTE_META_API_NAME)) <= 1)
      return (before, unsafe try AttachedMatte(of: output))
    }
    let composed = try process()
    #expect(try #require(composed.after).coverage > #require(composed.before).coverage)
    second.models.change("good") { $0.inferenceFailure = .init(.inferenceFailed, "out of order") }
    let hidden = try process()
    #expect(hidden.before != nil)
    #expect(hidden.after == nil)
    second.set("attach-matte", "false")
    #expect(try process().after == composed.before)
  }

  /// The other owner of the buffer, as behind a tee, keeps it unchanged.
  @Test func onlyTheCopyOfASharedBufferGetsAMatte() throws {
    let filter = try TestFilter(["attach-matte": "true"])
    let buffer = unsafe filter.makeBuffer()
    unsafe GStreamer.refMini(buffer)
    defer { unsafe GStreamer.unrefMini(buffer) }
    let output = unsafe try filter.output(of: buffer)
    defer { unsafe GStreamer.unrefMini(output) }
    #expect(unsafe try AttachedMatte(of: output) != nil)
    #expect(unsafe try AttachedMatte(of: buffer) == nil)
  }
}
