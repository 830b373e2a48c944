import Processor

/// The number of threads per inference, and of simultaneous inferences of a compiled network.
///
/// By default, the priority is latency, and one inference runs at a time. A large network gets all
/// cores for it. A small network takes a millisecond on one core and on two, so it gets one core:
/// one inference at a time serves 16 live streams as well as two, with 42 MB less. If the user has
/// set the number of threads, the inferences that run at a time use all cores.
struct Parallelism: Equatable, Hashable, Sendable {
  /// The number of threads per inference, or 0 to let the device choose.
  let threads: Int
  /// The maximum number of simultaneous inferences.
  ///
  /// For each of them, OpenVINO keeps a plan and scratch memory (8 MB for a small network).
  let inferences: Int

  /// The file size in bytes below which a network takes about a millisecond.
  private static let smallFile = 1 << 20

  /// Chooses the numbers for a model of `modelSize` bytes.
  ///
  /// `wanted` is the number of threads that the user has set, or 0.
  init(device: String, wanted: Int, modelSize: Int, cores: Int = UsableCores.count()) {
    if device == "CPU", wanted > 0 {
      threads = wanted
      inferences = min(max(cores / wanted, 1), 16)
    } else {
      threads = device == "CPU" && modelSize < Self.smallFile ? 1 : max(wanted, 0)
      inferences = 1
    }
  }

  /// The OpenVINO properties to set.
  var properties: [(String, String)] {
    let streams = [("NUM_STREAMS", String(inferences))]
    guard threads > 0 else { return streams }
    let (total, overflows) = threads.multipliedReportingOverflow(by: inferences)
    return streams + [("INFERENCE_NUM_THREADS", String(overflows ? threads : total))]
  }
}
