import TestSupport
import Testing

@Suite struct PageEndBufferTests {
  @Test(arguments: [1, 3, 4096, 5000])
  func everySampleCanBeWrittenAndRead(count: Int) {
    let buffer = PageEndBuffer<UInt16>(count: count)
    for i in 0..<count { unsafe buffer.base[i] = UInt16(i) }
    let read = (0..<count).map { unsafe buffer.base[$0] }
    #expect(read == (0..<count).map { UInt16($0) })
  }

  @Test("ends the process on a write past the end")
  func writeEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      let buffer = PageEndBuffer<UInt8>(count: 5)
      unsafe buffer.base[buffer.count] = 1
    }
  }

  @Test("ends the process on a read past the end")
  func readEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      let buffer = PageEndBuffer<UInt8>(count: 4096)
      let beyond = unsafe buffer.base[buffer.count]
      // Uses the byte, so that the read is not removed.
      print(beyond)
    }
  }

  @Test("does not end the process on a write to the last sample")
  func lastSampleEndsNothing() async {
    await #expect(processExitsWith: .success) {
      let buffer = PageEndBuffer<UInt8>(count: 4096)
      unsafe buffer.base[buffer.count - 1] = 1
    }
  }
}
