import CAllocationCounter
import Compositing
import InferenceTypes
import PixelTypes
import TestSupport
import Testing
import VirtualBackground

@Suite(.enabled(if: allocation_counter_works())) struct AllocationTests {
  @Test func theCounterCounts() {
    let before = allocation_counter_count()
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 1000)
    unsafe memory.deallocate()
    #expect(allocation_counter_count() > before)
  }

  @Test(
    arguments: [
      EffectSettings.Effect.blur, .replace, .color, .matte,
    ], [EffectSettings.BlurShape.gaussian, .lens])
  func aFrameInSteadyStateAllocatesNothing(
    effect: EffectSettings.Effect, shape: EffectSettings.BlurShape
  ) {
    var scene = Scene(width: 640, height: 360)
    scene.settings.effect = effect
    scene.settings.blurShape = shape
    scene.settings.framing = shape == .lens ? .follow : .fixed
    scene.settings.matte.grow = 3.5
    scene.settings.matte.feather = 8
    scene.settings.lightWrap = 0.5
    scene.settings.matchLight = 0.5
    scene.settings.onFailure = .hold
    scene.engine.use(Plate(format: scene.format) { _ in })
    let picture = scene.picture()
    let (engine, frame, settings) = (scene.engine, picture.frame, scene.settings)
    for _ in 0..<3 { _ = engine.process(frame, settings: settings) }
    let before = allocation_counter_count()
    for _ in 0..<5 { _ = engine.process(frame, settings: settings) }
    let allocations = allocation_counter_count() - before
    withExtendedLifetime(picture) {}
    #expect(allocations == 0)
  }

  @Test("allocates no memory for a dark frame that is brightened")
  func darkFrames() {
    var scene = Scene(width: 640, height: 360)
    scene.settings.lowLight = 1
    let picture = TestPicture(format: scene.format)
    let (engine, frame, settings) = (scene.engine, picture.frame, scene.settings)
    func process() {
      picture.paint(red: 40, green: 40, blue: 40)
      _ = engine.process(frame, settings: settings)
    }
    for _ in 0..<3 { process() }
    #expect(picture.luma(320, 180) > 80)
    let before = allocation_counter_count()
    for _ in 0..<5 { process() }
    #expect(allocation_counter_count() == before)
  }

  /// The networks that process the crop.
  enum Observers {
    case twoNetworks, twoSizes
  }

  /// A moving person.
  ///
  /// Either two networks cross-check each other, or one runs at two sizes.
  @Test(
    "allocates no memory for a frame with a crop", arguments: [Observers.twoNetworks, .twoSizes])
  func framesWithCrop(observers: Observers) {
    func network(_ width: Int, _ height: Int) -> FakeSegmenter {
      FakeSegmenter(
        format: TensorFormat(width: width, height: height, layout: .planar, fit: .stretch),
        edge: observers == .twoNetworks ? .approximate : .exact)
    }
    let (peopleFinder, close, coarse) = (network(64, 36), network(96, 72), network(48, 36))
    let witness = network(64, 36)
    let engine = VirtualBackgroundEngine()
    let format = FrameFormat(
      width: 640, height: 360, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
    engine.configure(for: format)
    engine.use(
      Segmenters(
        wholeFrame: peopleFinder,
        crop: Segmenters.Crop(
          segmenter: close, peopleFinder: peopleFinder,
          coarse: observers == .twoSizes ? coarse : nil, witness: witness,
          margins: CropMargins(margin: 0.1, maxShare: 0.9))))
    let pictures = (0..<20).map { step in
      let picture = TestPicture(format: format, padding: 0)
      picture.paint(red: 20, green: 60, blue: 220)
      let left = 200 + 8 * abs(step - 10)
      picture.paint(red: 200, green: 30, blue: 40) { x, y in left..<left + 80 ~= x && y >= 150 }
      return picture
    }
    let frames = pictures.map(\.frame)
    let settings = EffectSettings.everyFrame
    for i in 0..<4 * frames.count { _ = engine.process(frames[i % 20], settings: settings) }
    let before = allocation_counter_count()
    for i in 0..<4 * frames.count { _ = engine.process(frames[i % 20], settings: settings) }
    let allocations = allocation_counter_count() - before
    withExtendedLifetime(pictures) {}
    #expect(allocations == 0)
    #expect(close.inferences >= 160 && (observers == .twoNetworks || coarse.inferences > 4))
  }

  /// Runs in its own process, to count the allocations of all threads.
  @Test("allocates no memory in threads that share a frame")
  func allocatesNothingWhenThreadsShareTheFrame() async {
    await #expect(processExitsWith: .success) {
      let format = FrameFormat(
        width: 1920, height: 1080, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
      let engine = VirtualBackgroundEngine(threads: 2)
      engine.configure(for: format)
      engine.use(Segmenters(wholeFrame: FakeSegmenter()))
      let picture = TestPicture(format: format)
      let (frame, settings) = (picture.frame, EffectSettings.everyFrame)
      for _ in 0..<10 { _ = engine.process(frame, settings: settings) }
      let before = allocation_counter_count_of_all()
      for _ in 0..<20 { _ = engine.process(frame, settings: settings) }
      let allocations = allocation_counter_count_of_all() - before
      withExtendedLifetime(picture) {}
      #expect(allocations == 0)
    }
  }

  @Test(arguments: [EffectSettings.FailurePolicy.blur, .color, .hold])
  func hidingAFrameAllocatesNothing(policy: EffectSettings.FailurePolicy) {
    var scene = Scene(width: 640, height: 360)
    scene.settings.onFailure = policy
    let picture = scene.picture()
    scene.process(picture)
    let (engine, frame, settings) = (scene.engine, picture.frame, scene.settings)
    // Without a failing segmenter, because the test library records a backtrace per thrown error.
    func hide() {
      _ = engine.hide(frame, settings: settings, because: failure, pixelsAreValid: true)
    }
    hide()
    let before = allocation_counter_count()
    for _ in 0..<5 { hide() }
    let allocations = allocation_counter_count() - before
    withExtendedLifetime(picture) {}
    #expect(allocations == 0)
  }
}
