import Processor

/// How many threads work on one inference, and how many inferences of a compiled network run at the
/// same time.
///
/// Latency comes first: a large network gets all cores for one inference after the other. A small
/// one, which takes a millisecond on one core and no less on two, runs as often as there are cores.
struct Parallelism: Equatable, Hashable, Sendable {
  /// Threads of one inference; 0 leaves the choice to the device.
  let threads: Int
  /// Inferences at the same time; for each OpenVINO keeps its own plan and scratch memory (8 MB for
  /// a small network).
  let inferences: Int

  /// Networks with files smaller than this take about a millisecond.
  private static let smallFile = 1 << 20

  /// The choice for a model of so many bytes; `wanted` threads are the user's, 0 for none.
  init(device: String, wanted: Int, modelSize: Int, cores: Int = UsableCores.count()) {
    guard device == "CPU", wanted > 0 || modelSize < Self.smallFile else {
      threads = max(wanted, 0)
      inferences = 1
      return
    }
    threads = max(wanted, 1)
    // Four cores of small inferences serve hundreds of streams. A number that the user names is
    // granted as far as there are cores.
    inferences = min(max(cores / threads, 1), wanted > 0 ? 16 : 4)
  }

  /// In OpenVINO's words.
  var properties: [(String, String)] {
    let streams = [("NUM_STREAMS", String(inferences))]
    guard threads > 0 else { return streams }
    let (total, overflows) = threads.multipliedReportingOverflow(by: inferences)
    return streams + [("INFERENCE_NUM_THREADS", String(overflows ? threads : total))]
  }
}
