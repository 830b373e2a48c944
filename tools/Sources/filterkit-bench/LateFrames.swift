/// Delays of the frames of a live stream at a sink, with elements and with `identity`.
struct LateFrames {
  private static let rounds = 3

  /// The source of the frames, in the syntax of gst-launch-1.0.
  var source = "videotestsrc num-buffers=1 ! imagefreeze is-live=true"
  /// Seconds that each stream plays in each round.
  var seconds = 10
  /// The elements that take turns with `identity`, in the syntax of gst-launch-1.0.
  var elements: [String] = []

  /// Reads the arguments after `--live`.
  ///
  /// Returns nil if one is invalid.
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

  /// Measures and prints.
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
