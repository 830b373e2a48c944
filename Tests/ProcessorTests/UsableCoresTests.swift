import Testing

@testable import Processor

@Suite struct UsableCoresTests {
  private func quota(_ group: String, _ files: [String: String]) -> Double? {
    UsableCores.quota(controlGroup: group) { files[$0] }
  }

  @Test func thereIsAtLeastOneCore() {
    #expect(UsableCores.count() >= 1)
  }

  @Test func withoutAQuotaThereIsNoLimit() {
    #expect(quota("", [:]) == nil)
    #expect(quota("0::/\n", ["/sys/fs/cgroup/cpu.max": "max 100000\n"]) == nil)
  }

  @Test func theQuotaIsAShareOfThePeriod() {
    #expect(quota("0::/\n", ["/sys/fs/cgroup/cpu.max": "150000 100000\n"]) == 1.5)
  }

  @Test func theSmallestQuotaOfTheGroupsCounts() {
    let files = [
      "/sys/fs/cgroup/a/b/cpu.max": "400000 100000", "/sys/fs/cgroup/a/cpu.max": "200000 100000",
      "/sys/fs/cgroup/cpu.max": "max 100000",
    ]
    #expect(quota("1:name=systemd:/x\n0::/a/b\n", files) == 2)
  }

  @Test func versionOneHasTwoFiles() {
    let files = [
      "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "50000\n",
      "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
    ]
    #expect(quota("4:cpu:/\n", files) == 0.5)
    #expect(quota("", ["/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n"]) == nil)
  }

  @Test(
    "ignores a quota that cannot be parsed",
    arguments: ["", "nonsense", "1", "0 0", "-5 100000", "nan 1", "9 x"])
  func ignoresInvalidQuota(text: String) {
    #expect(quota("0::/", ["/sys/fs/cgroup/cpu.max": text]) == nil)
  }
}
