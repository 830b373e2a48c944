/// The number of frames with faces, and the times of the detection.
struct DetectionSummary {
  private(set) var frames = 0
  private var framesWithFaces = 0
  private var times: [UInt64] = []

  /// Counts a frame.
  ///
  /// `nanoseconds` is the time of its detection.
  mutating func add(nanoseconds: UInt64, isFound: Bool) {
    frames += 1
    framesWithFaces += isFound ? 1 : 0
    times.append(nanoseconds)
  }

  /// The summary in a line.
  func text(inferences: Int) -> String {
    func share(_ part: Int, _ digits: Double) -> Double {
      (Double(part) / Double(max(frames, 1)) * digits).rounded() / digits
    }
    let sorted = times.sorted()
    let median = sorted.isEmpty ? 0 : Double(sorted[sorted.count / 2] / 1000) / 1000
    return "\(frames) frames, \(framesWithFaces) of them with a face "
      + "(\(100 * share(framesWithFaces, 10_000)) %), "
      + "\(share(inferences, 100)) inferences per frame, "
      + "\(median) ms per frame (median)"
  }
}
