/// Measures the delays of frames at the sink of a live stream, with several elements and
/// `identity`.
struct LateFrames {
  private static let rounds = 3

  /// The source of the frames, in the syntax of gst-launch-1.0.
  var source = "videotestsrc num-buffers=1 ! imagefreeze is-live=true"
  /// The duration of each stream in each round, in seconds.
  var seconds = 10
  /// The elements to compare with `identity`, in the syntax of gst-launch-1.0.
  ///
  /// All of them take turns in each round.
  var elements: [String] = []

  /// Parses the arguments after `--live`.
  ///
  /// Returns nil if an argument is invalid.
  init?(arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--source":
        guard let text = arguments.next() else { return nil }
        source = text
      case "--seconds":
        guard let number = arguments.next().flatMap({ Int($0) }), (1...3600).contains(number)
        else { return nil }
        seconds = number
      case let element where !element.hasPrefix("-"): elements.append(element)
      default: return nil
      }
    }
    if elements.isEmpty { elements = ["bench-analyzer"] }
  }

  /// Measures all elements and prints the results.
  ///
  /// Returns false if a stream fails.
  func run() -> Bool {
    let elements = ["identity"] + elements
    print("\(Self.rounds) rounds of \(seconds) seconds for each of \(elements.count) elements ...")
    var timings = Array(repeating: LiveStream.Timing(), count: elements.count)
    for _ in 0..<Self.rounds {
      for (index, element) in elements.enumerated() {
        guard
          let timing = LiveStream(source: source, element: element)?.run(seconds: seconds)
        else { return false }
        timings[index].append(timing)
      }
    }
    print("element: frames, late frames, median and maximum delay in milliseconds")
    for (element, timing) in zip(elements, timings) {
      func rounded(_ delay: Double) -> Double { (delay * 100).rounded() / 100 }
      print(
        "\(element): \(timing.delays.count), \(timing.late), \(rounded(timing.delays.median)), "
          + "\(rounded(timing.delays.max() ?? 0))")
    }
    return true
  }
}
