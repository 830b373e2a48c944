import CGStreamer

/// Measures the cost of a 1080p NV12 frame in microseconds.
///
/// The candidates are elements that use GstVideoFilterKit, GStreamer's `identity`, and a memset of
/// the chroma. They take turns in each round. The results are medians over the rounds.
struct FrameCosts {
  /// A function to measure.
  ///
  /// It returns false if it loses a frame.
  private struct Candidate {
    let name: String
    let run: () -> Bool
  }

  private static let rounds = 41
  private static let framesPerRound = 100

  private let candidates: [Candidate]

  /// Creates the elements, and reports those that GStreamer does not have.
  init() {
    print("microseconds per frame of 1080p NV12 on the streaming thread:")
    let cleared = ElementUnderTest("identity")
    candidates = [
      Self.candidate("identity"), Self.candidate("bench-nothing"),
      cleared.map { element in
        Candidate(name: "memset of the chroma") {
          element.setChroma()
          return true
        }
      },
      Self.candidate("bench-grayscale"), Self.candidate("bench-invert"),
      Self.candidate("bench-picture", width: 256), Self.candidate("bench-picture", width: 640),
      Self.candidate("bench-analyzer"),
    ].compactMap(\.self)
  }

  private static func candidate(_ factory: String, width: Int? = nil) -> Candidate? {
    let name = width.map { "\(factory) width=\($0)" } ?? factory
    guard let element = ElementUnderTest(factory, width: width) else {
      print("\(factory): no such element")
      return nil
    }
    return Candidate(name: name) { element.run() }
  }

  /// Measures all candidates and prints the results.
  ///
  /// Returns false if a frame was lost.
  func run() -> Bool {
    var times = Array(repeating: [Double](), count: candidates.count)
    for round in 0..<Self.rounds {
      for (index, candidate) in candidates.enumerated() {
        let start = g_get_monotonic_time()
        for _ in 0..<Self.framesPerRound {
          guard candidate.run() else {
            print("\(candidate.name) lost a frame")
            return false
          }
        }
        // The first round warms up.
        if round > 0 {
          times[index].append(
            Double(g_get_monotonic_time() - start) / Double(Self.framesPerRound))
        }
      }
    }
    for (candidate, times) in zip(candidates, times) {
      print("\(candidate.name): \((times.median * 100).rounded() / 100)")
    }
    return runAnalyzer()
  }

  /// Measures the time on the streaming thread for an analyzer that analyzes each frame.
  private func runAnalyzer() -> Bool {
    guard let element = ElementUnderTest(QuickAnalyzer.id) else { return false }
    var times: [Double] = []
    for _ in 0..<Self.framesPerRound {
      // Wait until the analysis of the previous frame has ended.
      pause(milliseconds: 5)
      let start = g_get_monotonic_time()
      guard element.run() else { return false }
      times.append(Double(g_get_monotonic_time() - start))
    }
    print("\(QuickAnalyzer.id), per frame: \(times.median)")
    return true
  }
}

extension [Double] {
  /// The median, or 0 for an empty array.
  var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}
