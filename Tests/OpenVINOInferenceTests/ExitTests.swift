import Glibc
import Matting
import TestSupport
import Testing
import Threads

@testable import OpenVINOInference

/// The end of a process while other threads use OpenVINO.
///
/// Each test runs in its own process. Exit handlers run in reverse order. The handler that is
/// registered first sleeps, so that threads that still use OpenVINO after its end have time to
/// fail.
struct ExitTests {
  /// The path of a network of the ladder, or of a fixture if it is not installed.
  private static func path(_ name: String) -> String {
    realModel(name) ?? fixture("recurrent.onnx")
  }

  private static func load(_ path: String, _ cacheFolder: String?) throws -> any Segmenter {
    try makeSegmenter(request(path), cache: cacheFolder, for: (1280, 720))
  }

  /// Calls OpenVINO until the process ends.
  ///
  /// Repeats a refused call after a moment.
  private static func callUntilTheEnd<Result>(_ call: () throws -> Result) -> Never {
    while true {
      if (try? call()) == nil { usleep(200) }
    }
  }

  @Test(arguments: ["rvm_mobilenetv3_fp32.onnx", "selfie_segmentation.tflite"], [0, 150])
  func whileANetworkLoads(name: String, milliseconds: Int) async {
    await #expect(processExitsWith: .success) { [name, milliseconds] in
      atexit { usleep(500_000) }
      // Load the library first: an exit cannot wait for a library's initialisers.
      let small = name.hasSuffix(".onnx") ? fixture("recurrent.onnx") : ExitTests.path(name)
      _ = try ExitTests.load(small, nil)
      _ = HelperThread {
        ExitTests.callUntilTheEnd { try ExitTests.load(ExitTests.path(name), nil) }
      }
      usleep(UInt32(milliseconds * 1000))
      exit(0)
    }
  }

  @Test(arguments: ["rvm_mobilenetv3_fp32.onnx", "selfie_segmentation.tflite"], [0, 50])
  func whileACachedNetworkLoads(name: String, milliseconds: Int) async {
    let folder = TemporaryFolder()
    await #expect(processExitsWith: .success) {
      [name, milliseconds, path = folder.path as String] in
      atexit { usleep(500_000) }
      _ = try ExitTests.load(ExitTests.path(name), path)
      _ = HelperThread {
        ExitTests.callUntilTheEnd { try ExitTests.load(ExitTests.path(name), path) }
      }
      usleep(UInt32(milliseconds * 1000))
      exit(0)
    }
  }

  /// Covers inferences on the calling thread and on OpenVINO's own threads.
  ///
  /// OpenVINO's threads run them if two threads share a network.
  @Test(arguments: ["rvm_mobilenetv3_fp32.onnx", "selfie_segmentation.tflite"], [1, 2])
  func whileInferencesRun(name: String, threads: Int) async {
    await #expect(processExitsWith: .success) { [name, threads] in
      atexit { usleep(500_000) }
      let running = Monitor(0)
      for _ in 0..<threads {
        _ = HelperThread {
          let segmenter = try? ExitTests.load(ExitTests.path(name), nil)
          running.change { $0 += 1 }
          if let segmenter { ExitTests.callUntilTheEnd { try segmenter.infer() } }
        }
      }
      running.wait { $0 == threads ? () : nil }
      usleep(20_000)
      exit(0)
    }
  }

  @Test("refuses to load a network while the process ends, and gives the reason")
  func refusesLateCalls() async {
    await #expect(processExitsWith: .success) {
      atexit {
        let error = loadError(fixture("red.onnx"))
        _exit(error?.description.contains("the process is ending") == true ? 0 : 1)
      }
      _ = try ExitTests.load(fixture("red.onnx"), nil)
      exit(2)
    }
  }
}
