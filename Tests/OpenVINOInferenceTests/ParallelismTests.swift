import Testing

@testable import OpenVINOInference

struct ParallelismTests {
  @Test(arguments: [
    // Threads of the user's, bytes of the model, cores; threads of one inference, inferences.
    (0, 250_000, 1, 1, 1), (0, 250_000, 2, 1, 2), (0, 250_000, 64, 1, 4),
    (0, 15_000_000, 2, 0, 1), (0, 15_000_000, 64, 0, 1),
    (1, 15_000_000, 2, 1, 2), (2, 250_000, 2, 2, 1), (1, 250_000, 64, 1, 16),
    (3, 250_000, 8, 3, 2), (64, 250_000, 2, 64, 1), (.max, 250_000, 2, .max, 1),
    (-1, 15_000_000, 2, 0, 1),
  ])
  func boundsTheThreads(_ values: (Int, Int, Int, Int, Int)) {
    let parallelism = Parallelism(
      device: "CPU", wanted: values.0, modelSize: values.1, cores: values.2)
    #expect(parallelism.threads == values.3)
    #expect(parallelism.inferences == values.4)
    let words = Dictionary(uniqueKeysWithValues: parallelism.properties)
    #expect(words["NUM_STREAMS"] == String(values.4))
    #expect(
      words["INFERENCE_NUM_THREADS"] == (values.3 > 0 ? String(values.3 * values.4) : nil))
  }

  @Test func otherDevicesDecideForThemselves() {
    let parallelism = Parallelism(device: "GPU", wanted: 0, modelSize: 1, cores: 8)
    #expect(parallelism.threads == 0)
    #expect(parallelism.inferences == 1)
  }
}
