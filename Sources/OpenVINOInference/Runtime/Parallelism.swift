import Processor

/// The number of threads per inference, and of simultaneous inferences of a compiled network.
///
/// The priority is latency. A large network gets all cores for one inference at a time. If the user
/// has set the number of threads, several inferences run at a time. A small network takes a
/// millisecond on one core and on two, so one inference at a time on one core is enough: a second
/// one saved no time with 16 live streams, and took 42 MB.
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
    let isSmall = modelSize < Self.smallFile
    threads = device == "CPU" && isSmall ? max(wanted, 1) : max(wanted, 0)
    let isAlone = device != "CPU" || isSmall || threads == 0
    inferences = isAlone ? 1 : min(max(cores / threads, 1), 16)
  }

  /// The OpenVINO properties to set.
  var properties: [(String, String)] {
    let streams = [("NUM_STREAMS", String(inferences))]
    guard threads > 0 else { return streams }
    let (total, overflows) = threads.multipliedReportingOverflow(by: inferences)
    return streams + [("INFERENCE_NUM_THREADS", String(overflows ? threads : total))]
  }
}
