import CAllocationCounter
import TestSupport
import Testing
import VirtualBackground

@Suite struct AllocationTests {
  @Test func theCounterCounts() {
    let before = allocation_counter_count()
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 1000)
    unsafe memory.deallocate()
    #expect(allocation_counter_count() > before)
  }

  @Test(arguments: [
    EffectSettings.Effect.blur, .replace, .color, .matte,
  ])
  func aFrameInSteadyStateAllocatesNothing(effect: EffectSettings.Effect) {
    var scene = Scene(width: 640, height: 360)
    scene.settings.effect = effect
    scene.settings.matteGrow = 3.5
    scene.settings.matteFeather = 8
    scene.settings.onFailure = .hold
    scene.engine.use(Plate(format: scene.format) { _ in })
    let picture = scene.picture()
    for _ in 0..<3 { scene.process(picture) }
    let before = allocation_counter_count()
    for _ in 0..<5 { scene.process(picture) }
    #expect(allocation_counter_count() - before == 0)
  }

  @Test(arguments: [EffectSettings.FailurePolicy.blur, .color, .hold])
  func hidingAFrameAllocatesNothing(policy: EffectSettings.FailurePolicy) {
    var scene = Scene(width: 640, height: 360)
    scene.settings.onFailure = policy
    let picture = scene.picture()
    scene.process(picture)
    scene.segmenter.failure = failure
    for _ in 0..<3 { scene.process(picture) }
    let before = allocation_counter_count()
    for _ in 0..<5 { scene.process(picture) }
    #expect(allocation_counter_count() - before == 0)
  }
}
