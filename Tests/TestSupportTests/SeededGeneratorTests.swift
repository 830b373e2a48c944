import TestSupport
import Testing

@Suite struct SeededGeneratorTests {
  @Test func givesThePublishedSequenceOfSplitMix64() {
    var generator = SeededGenerator(seed: 1_234_567)
    let numbers = (0..<3).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test func givesAsManyBytesAsAskedForOfAllValues() {
    var generator = SeededGenerator(seed: 1)
    let bytes = generator.bytes(10_000)
    #expect(bytes.count == 10_000)
    #expect(Set(bytes).count == 256)
  }

  @Test func floatsLieInTheirRange() {
    var generator = SeededGenerator(seed: 2)
    let floats = generator.floats(1000, in: -1...3)
    #expect(floats.count == 1000)
    #expect(floats.allSatisfy { (-1...3).contains($0) })
    #expect(floats.contains { $0 < -0.9 } && floats.contains { $0 > 2.9 })
  }
}
