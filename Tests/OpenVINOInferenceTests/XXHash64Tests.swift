import Testing

@testable import OpenVINOInference

/// Against the values of the reference implementation.
struct XXHash64Tests {
  @Test func shortTexts() {
    #expect(XXHash64.hash("") == 0xEF46_DB37_51D8_E999)
    #expect(XXHash64.hash("a") == 0xD24E_C4F1_A98C_6E5B)
    #expect(XXHash64.hash("abc") == 0x44BC_2CF5_AD77_0999)
  }

  @Test func longerThanABlock() {
    let text = "Nobody inspects the spammish repetition"
    #expect(XXHash64.hash(text) == 0xFBCE_A83C_8A37_8BF1)
  }

  @Test func everyByteCounts() {
    for count in 1...70 {
      var bytes = (0..<count).map { UInt8($0) }
      let whole = unsafe bytes.withUnsafeBytes { unsafe XXHash64.hash($0) }
      for index in bytes.indices {
        bytes[index] ^= 1
        #expect(unsafe bytes.withUnsafeBytes { unsafe XXHash64.hash($0) } != whole)
        bytes[index] ^= 1
      }
    }
  }
}
