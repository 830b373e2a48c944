import CAllocationCounter
import Compositing
import Matting
import PixelTypes
import TestSupport
import Testing
import VirtualBackground

/// Returns the number of allocations of this thread by the last `times` of several calls.
func allocations(in times: Int = 5, after warmUp: Int = 3, _ body: () -> Void) -> UInt64 {
  for _ in 0..<warmUp { body() }
  let before = allocation_counter_count()
  for _ in 0..<times { body() }
  return allocation_counter_count() - before
}

/// The tests of OpenVINO's allocations prove that the counter counts.
@Suite(.enabled(if: allocation_counter_works())) struct AllocationTests {
  @Test(
    arguments: [EffectSettings.Effect.blur, .replace, .color, .matte],
    [EffectSettings.BlurShape.gaussian, .lens])
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
    let (made, picture) = (scene, scene.picture())
    #expect(allocations { made.process(picture) } == 0)
  }

  @Test("allocates no memory for a dark frame that is brightened")
  func darkFrames() {
    var scene = Scene(width: 640, height: 360)
    scene.settings.lowLight = 1
    let (dark, picture) = (scene, TestPicture(format: scene.format))
    let count = allocations {
      picture.paint((40, 40, 40))
      dark.process(picture)
    }
    #expect(count == 0 && picture.luma(320, 180) > 80)
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
        width: width, height: height, edge: observers == .twoNetworks ? .approximate : .exact)
    }
    let (close, coarse) = (network(96, 72), network(48, 36))
    let format = FrameFormat(width: 640, height: 360)
    let engine = VirtualBackgroundEngine(
      format,
      Segmenters(
        network(64, 36), close: close, coarse: observers == .twoSizes ? coarse : nil,
        witness: network(64, 36)))
    let pictures = (0..<20).map { step in
      let picture = TestPicture(format: format, Scene.room)
      let left = 200 + 8 * abs(step - 10)
      picture.paint(Scene.person) { x, y in left..<left + 80 ~= x && y >= 150 }
      return picture
    }
    let settings = EffectSettings.everyFrame
    let count = allocations(in: 4, after: 4) {
      for step in 0..<20 { engine.process(pictures[step], settings: settings) }
    }
    #expect(count == 0)
    #expect(close.inferences >= 160 && (observers == .twoNetworks || coarse.inferences > 4))
  }

  /// Runs in its own process, to count the allocations of all threads.
  @Test("allocates no memory in threads that share a frame")
  func allocatesNothingWhenThreadsShareTheFrame() async {
    await #expect(processExitsWith: .success) {
      let format = FrameFormat(width: 1920, height: 1080)
      let engine = VirtualBackgroundEngine(format, FakeSegmenter(), threads: 2)
      let (picture, settings) = (TestPicture(format: format), EffectSettings.everyFrame)
      for _ in 0..<10 { engine.process(picture, settings: settings) }
      let before = allocation_counter_count_of_all()
      for _ in 0..<20 { engine.process(picture, settings: settings) }
      #expect(allocation_counter_count_of_all() == before)
    }
  }

  @Test(arguments: [EffectSettings.FailurePolicy.blur, .color, .hold])
  func hidingAFrameAllocatesNothing(policy: EffectSettings.FailurePolicy) {
    var scene = Scene(width: 640, height: 360)
    scene.settings.onFailure = policy
    let picture = scene.picture()
    scene.process(picture)
    let (engine, settings) = (scene.engine, scene.settings)
    // Without a failing segmenter, because the test library records a backtrace per thrown error.
    let count = allocations { engine.hide(picture, settings: settings, because: failure) }
    #expect(count == 0)
  }
}
