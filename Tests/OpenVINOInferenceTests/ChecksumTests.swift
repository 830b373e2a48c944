import Testing

@testable import OpenVINOInference

struct ChecksumTests {
  private func checksum(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe Checksum.of($0, seed: seed) }
  }

  @Test("depends on each bit, on the length and on the seed", arguments: [1, 7, 8, 9, 16, 63, 64])
  func dependsOnEverything(count: Int) {
    let bytes = (0..<count).map { UInt8($0) }
    var all: Set = [checksum(bytes), checksum(bytes, seed: 1), checksum(bytes + [0])]
    all.insert(checksum(Array(bytes.dropLast())))
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << bit
        all.insert(checksum(changed))
      }
    }
    #expect(all.count == 4 + 8 * count)
  }

  @Test("distinguishes zeros of different lengths, and swapped words")
  func zerosAndOrder() {
    let zeros = (0..<100).map { checksum([UInt8](repeating: 0, count: $0)) }
    #expect(Set(zeros).count == 100)
    let (a, b) = ([UInt8](repeating: 1, count: 8), [UInt8](repeating: 0x80, count: 8))
    #expect(checksum(a + b) != checksum(b + a))
    #expect(Checksum.of("ab") == checksum([0x61, 0x62]))
  }
}
