import Glibc
import Matting
import TestSupport
import Testing

@testable import OpenVINOInference

/// Devices other than the CPU, as far as tests can check them without such hardware.
struct DeviceTests {
  private static func refusal(_ device: String) -> SegmentationError? {
    errorOf { () throws(SegmentationError) in
      try makeSegmenter(request(fixture("red.onnx"), device: device))
    }
  }

  /// The plugins are installed, but the machine lacks the device.
  @Test(arguments: ["GPU.99", "NPU.99", "AUTO:GPU.99", "HETERO:GPU.99"])
  func aMissingDeviceIsRefused(device: String) {
    let error = Self.refusal(device)
    #expect(error?.kind == .deviceRefused)
    let text = error?.description ?? ""
    #expect(text.hasPrefix("The device \(device) cannot be used: "), "\(text)")
    #expect(text.contains("Other available devices: CPU"), "\(text)")
    #expect(!text.contains("gstreamer1.0-vbgfilter-gpu"), "\(text)")
  }

  /// The CPU replaces a device that the machine does not have.
  @Test(arguments: ["AUTO:GPU.99,CPU", "AUTO", "MULTI:CPU", "BATCH:CPU"])
  func othersFallBackToTheProcessor(device: String) throws {
    let segmenter = try makeSegmenter(request(fixture("red.onnx"), device: device))
    #expect(try segmenter.matte(ofGrey: 0.5).first == 0.5)
  }

  /// On a processor with bfloat16, OpenVINO selects it although oneDNN may not use it.
  @Test(
    "uses float32 if the processor's precision cannot be compiled",
    .enabled(if: realModel("selfie_segmentation_landscape.tflite") != nil))
  func withoutWideInstructions() async {
    await #expect(processExitsWith: .success) {
      unsafe unsetenv("VBGFILTER_PRECISION")
      unsafe setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1)
      let cache = TemporaryFolder()
      let path = try #require(realModel("selfie_segmentation_landscape.tflite"))
      let segmenter = try makeSegmenter(request(path), cache: cache.path)
      _ = try segmenter.infer()
      // Without the variable, the processor must not get the network in float32.
      let processor = String(decoding: TestFile.bytes("/proc/cpuinfo"), as: UTF8.self)
      let hasBF16 = processor.contains("avx512_bf16") || processor.contains("amx_bf16")
      let isCached = TemporaryFolder.entries(of: cache.path).contains { $0.hasSuffix(".compiled") }
      #expect(isCached != hasBF16)
    }
  }

  /// There may be no other device to offer.
  @Test("does not offer the device that it refuses")
  func refusesWithoutOfferingTheSame() throws {
    let text = try Core(OpenVINOLibrary.shared()).refusal(of: "CPU", "it is broken").description
    #expect(!text.contains("devices: CPU") && !text.contains(", CPU"), "\(text)")
  }

  /// Runs in its own process, with an OpenVINO folder that lacks the plugins.
  @Test(arguments: [
    ("GPU", "GPU"), ("GPU.1", "GPU"), ("NPU", "NPU"), ("AUTO", "AUTO"),
    ("AUTO:GPU,CPU", "AUTO, GPU"), ("MULTI:CPU", "MULTI"), ("HETERO:GPU,CPU", "HETERO, GPU"),
    ("NOSUCH", ""),
  ])
  func withoutItsPluginThePackageIsNamed(device: String, missing: String) async {
    await #expect(processExitsWith: .success) { [device, missing] in
      let installed = try #require(
        RuntimeFolder.candidates().first { !RuntimeFolder.libraries(in: $0).isEmpty })
      let folder = TemporaryFolder()
      for name in TemporaryFolder.entries(of: installed)
      where !name.hasSuffix("_plugin.so") || name.contains("_cpu_") {
        // Copy the library: OpenVINO follows links and would find the plugins.
        if name.hasPrefix("libopenvino.so") {
          folder.write(name, TestFile.bytes("\(installed)/\(name)"))
        } else {
          folder.link(name, from: installed)
        }
      }
      unsafe setenv(RuntimeFolder.variable, folder.path, 1)
      let text = DeviceTests.refusal(device)?.description ?? ""
      #expect(text.hasPrefix("The device \(device) cannot be used: "), "\(text)")
      let remedy =
        "plugin for \(missing) is not installed: on x86-64 install the package "
        + "gstreamer1.0-vbgfilter-gpu."
      #expect(text.hasSuffix(remedy) == !missing.isEmpty, "\(text)")
      #expect(text.contains("gstreamer1.0-vbgfilter-gpu") == !missing.isEmpty, "\(text)")
      withExtendedLifetime(folder) {}
    }
  }
}
