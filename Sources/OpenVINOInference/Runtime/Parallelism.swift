import Processor

/// The number of threads per inference, and of simultaneous inferences of a compiled network.
///
/// Latency comes first: a large network gets all cores for one inference at a time. A small one,
/// which takes a millisecond on one core and no less on two, runs one inference per core.
struct Parallelism: Equatable, Hashable, Sendable {
  /// Threads of one inference, or 0 if the device chooses.
  let threads: Int
  /// Simultaneous inferences.
  ///
  /// For each, OpenVINO keeps its own plan and scratch memory (8 MB for a small network).
  let inferences: Int

  /// Networks with files smaller than this take about a millisecond.
  private static let smallFile = 1 << 20

  /// Chooses for a model of `modelSize` bytes and `wanted` threads, 0 if the user did not choose.
  init(device: String, wanted: Int, modelSize: Int, cores: Int = UsableCores.count()) {
    guard device == "CPU", wanted > 0 || modelSize < Self.smallFile else {
      threads = max(wanted, 0)
      inferences = 1
      return
    }
    threads = max(wanted, 1)
    // Four cores of small inferences serve hundreds of streams. A number from the user is granted
    // as far as there are cores.
    inferences = min(max(cores / threads, 1), wanted > 0 ? 16 : 4)
  }

  /// The properties for OpenVINO.
  var properties: [(String, String)] {
    let streams = [("NUM_STREAMS", String(inferences))]
    guard threads > 0 else { return streams }
    let (total, overflows) = threads.multipliedReportingOverflow(by: inferences)
    return streams + [("INFERENCE_NUM_THREADS", String(overflows ? threads : total))]
  }
}
