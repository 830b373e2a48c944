import CGStreamer
import Glibc

// What elements made with GstVideoFilterKit cost a 1080p NV12 frame, beside GStreamer's own
// identity and a memset of the chroma. Microseconds, the medians of many rounds, which take turns.

guard gst_init_check(nil, nil, nil) != 0, plugin.register() else {
  print("GStreamer cannot be used")
  exit(1)
}

/// Something whose time is taken.
struct Candidate {
  let name: String
  let run: () -> Bool
}

func candidate(_ factory: String) -> Candidate? {
  ElementUnderTest(factory).map { element in Candidate(name: factory) { element.run() } }
}

let cleared = ElementUnderTest("identity")
let candidates = [
  candidate("identity"), candidate("bench-nothing"),
  cleared.map { element in
    Candidate(name: "memset of the chroma") {
      element.setChroma()
      return true
    }
  },
  candidate("bench-grayscale"), candidate("bench-invert"), candidate("bench-analyzer"),
].compactMap(\.self)

let rounds = 41
let framesPerRound = 100
var times = Array(repeating: [Double](), count: candidates.count)
for round in 0..<rounds {
  for (index, candidate) in candidates.enumerated() {
    let start = g_get_monotonic_time()
    for _ in 0..<framesPerRound {
      guard candidate.run() else {
        print("\(candidate.name) lost a frame")
        exit(1)
      }
    }
    // The first is for warming up.
    if round > 0 {
      times[index].append(Double(g_get_monotonic_time() - start) / Double(framesPerRound))
    }
  }
}

for (candidate, times) in zip(candidates, times) {
  let median = times.sorted()[times.count / 2]
  print("\(candidate.name): \((median * 100).rounded() / 100)")
}

// An analyzer's picture is made while the frame waits, when the analyzer is ready for one.
if let element = ElementUnderTest("bench-analyzer") {
  var slowest: [Int64] = []
  for _ in 0..<12 {
    var longest: Int64 = 0
    // Longer than an analysis.
    for _ in 0..<40 {
      let start = g_get_monotonic_time()
      _ = element.run()
      longest = max(longest, Int64(g_get_monotonic_time() - start))
      pause(milliseconds: 10)
    }
    slowest.append(longest)
  }
  print("a picture for an analyzer: \(slowest.sorted()[slowest.count / 2])")
}
