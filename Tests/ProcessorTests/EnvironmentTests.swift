import Glibc
import Testing

@testable import Processor

@Suite struct EnvironmentTests {
  @Test("treats an empty variable as unset")
  func treatsEmptyAsUnset() async {
    await #expect(processExitsWith: .success) {
      guard Environment.value(of: "VBGFILTER_TEST") == nil else { exit(1) }
      unsafe setenv("VBGFILTER_TEST", "", 1)
      guard Environment.value(of: "VBGFILTER_TEST") == nil else { exit(2) }
      unsafe setenv("VBGFILTER_TEST", "a b", 1)
      exit(Environment.value(of: "VBGFILTER_TEST") == "a b" ? 0 : 3)
    }
  }
}
