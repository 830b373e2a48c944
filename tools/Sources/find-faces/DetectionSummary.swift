/// The number of frames with faces, and the times of the detection.
struct DetectionSummary {
  private(set) var frames = 0
  private var framesWithFaces = 0
  private var times: [UInt64] = []

  /// Counts a frame.
  ///
  /// - Parameters:
  ///   - nanoseconds: the time that the detection took.
  ///   - isFound: whether the frame has a face.
  mutating func add(nanoseconds: UInt64, isFound: Bool) {
    frames += 1
    framesWithFaces += isFound ? 1 : 0
    times.append(nanoseconds)
  }

  /// Returns the summary as a line of text.
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
