import Processor
import Testing

/// The rounding of values that random samples seldom contain, and the greatest sums.
@Suite struct RoundingTests {
  @Test("weighing and unweighing restores every byte", arguments: InstructionSet.available)
  func restoredBytes(set: InstructionSet) {
    let bytes = Array(0...255 as ClosedRange<UInt8>)
    for weight in [1, 0.5, 0.001, 1e-6] as [Float] {
      let weights = [Float](repeating: weight, count: 256)
      var (weighed, out) = ([Float](repeating: 7, count: 256), [UInt8](repeating: 7, count: 256))
      unsafe set.kernels.weighRow(bytes, weights, 1, &weighed, 256)
      unsafe set.kernels.unweighRow(weighed, weights, 1, &out, 256)
      #expect(out == bytes)
    }
  }

  /// Multiplying by the reciprocal rounds some of these quotients incorrectly.
  @Test("quotients that are halves go to the even byte", arguments: InstructionSet.available)
  func halves(set: InstructionSet) {
    let evens = (0..<255).map { UInt8(($0 + 1) / 2 * 2) }
    for numerator in 1...64 {
      let weight = Float(numerator) / 64
      let sums = (0..<255).map { (Float($0) + 0.5) * weight }
      var out = [UInt8](repeating: 7, count: 255)
      unsafe set.kernels.unweighRow(sums, [Float](repeating: weight, count: 255), 1, &out, 255)
      #expect(out == evens)
    }
  }

  @Test("every byte survives the way to a float of 0 to 1", arguments: InstructionSet.available)
  func quantizing(set: InstructionSet) {
    var out = [UInt8](repeating: 7, count: 256)
    unsafe set.kernels.quantize((0...255).map { Float($0) / 255 }, &out, 256)
    #expect(out == Array(0...255))
  }

  @Test("limited range becomes the nearest value of full range")
  func stretching() {
    let factor = Int32((65536.0 * 255 / 219).rounded())
    var out = [UInt8](repeating: 0, count: 256)
    unsafe InstructionSet.baseline.kernels.stretchRow(Array(0...255), 16, factor, &out, 256)
    for (code, found) in out.enumerated() {
      let exact = Double(code - 16) * 255 / 219
      #expect(Double(found) == min(max(exact, 0), 255).rounded())
    }
  }

  @Test("the greatest sums of blocks fit", arguments: InstructionSet.available)
  func greatestSums(set: InstructionSet) {
    let (dark, light) = ([UInt8](repeating: 0, count: 100), [UInt8](repeating: 255, count: 100))
    #expect(unsafe set.kernels.blockDistance(dark, 10, light, 10) == 64 * 255)
  }
}
