import Testing

@testable import VirtualBackground

struct EffectSettingsTests {
  /// An unlimited amount would exhaust the memory.
  @Test func numbersStayWithinTheirRanges() {
    let numbers: [(WritableKeyPath<EffectSettings, Double>, ClosedRange<Double>)] = [
      (\.matte.grow, -50...50), (\.matte.feather, -50...50), (\.matte.smoothing, 0...1),
      (\.lightWrap, 0...1), (\.matchLight, 0...1),
    ]
    for (number, range) in numbers {
      var settings = EffectSettings()
      #expect(settings.valid == settings)
      settings[keyPath: number] = .nan
      #expect(settings.valid == EffectSettings())
      for value in [Double.infinity, 1e300, range.upperBound] {
        settings[keyPath: number] = value
        #expect(settings.valid[keyPath: number] == range.upperBound)
      }
      for value in [-Double.infinity, -1e300, range.lowerBound] {
        settings[keyPath: number] = value
        #expect(settings.valid[keyPath: number] == range.lowerBound)
      }
    }
  }
}
