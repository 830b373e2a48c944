import Matting
import Processor
import ToolSupport

/// The options of the command line.
struct BenchmarkOptions: Equatable {
  /// A frame size to measure.
  enum Size: String, CaseIterable {
    case p360 = "360p"
    case p720 = "720p"
    case p1080 = "1080p"
    case p2160 = "2160p"

    /// The height in pixels.
    var height: Int {
      switch self {
      case .p360: 360
      case .p720: 720
      case .p1080: 1080
      case .p2160: 2160
      }
    }

    /// The width in pixels, for an aspect ratio of 16:9.
    var width: Int { height * 16 / 9 }
  }

  /// An effect to measure.
  enum Effect: String, CaseIterable {
    case replace, blur
  }

  var sizes: [Size]? = nil
  var effects = Effect.allCases
  var qualities: [Quality]? = nil
  var instructionSets = InstructionSet.available
  var threads = 1
  var frames = 300
  var seconds = 10
  /// Additional properties for the element in pipelines, as "name=value".
  var properties: [String] = []
  var jsonPath: String? = nil
  var svgPath: String? = nil
  /// Whether to measure the times of the stages.
  ///
  /// This is the default if no other measurement is selected.
  var table = false
  /// Whether to measure the stages with the matte that the network outputs, without crop or
  /// refinement.
  var plain = false
  /// The number of live streams in one process, or nil to skip this measurement.
  var streams: Int? = nil
  var pipeline = false
  var peer = false
  /// A clip to measure in comparison with the peers, or nil to skip this measurement.
  var peerClipPath: String? = nil
  var start = false
  /// Whether to measure a live stream while other programs load the cores.
  var load = false
  /// A clip to measure, or nil to skip this measurement.
  var clipPath: String? = nil
  /// Whether to measure scenes, some of which cost more than others.
  var scenes = false
  /// The number of property changes during a live stream, or nil to skip this measurement.
  var changes: Int? = nil
  /// Whether to count instructions.
  var instructions = false
  /// The kernel to call, in the child process of `instructions`, or nil in other processes.
  var call: String? = nil
  /// Whether this is the child process of `start`, which only loads networks.
  var loadAlone = false
  var help = false

  static let usage = """
    vbgfilter-bench: measures the cost of a frame by stages, and compares it with a lower bound and
    with other programs.

    Measurements (default: --table):
      --table            time of each stage, and the ratio of the whole frame to its lower bound: an
                         inference alone and a copy
      --pipeline         frames per second of the element in a GStreamer pipeline
      --start            time from NULL to the first frame, compared with loading the network alone
      --streams N        N live streams of the element in one process: late frames and memory
      --load             frames per second that a live stream shows in time, while other programs
                         keep each core busy and after they stop, without and with adaptive=true
      --clip FILE        number of cores that a clip at 30 frames per second keeps busy, with an
                         inference for every frame and with inference=when-needed
      --scenes           cost of a frame with a person in the light and in the dark, with two people,
                         without people, and with keep=nearest
      --changes N        a live stream with N random property changes, 30 per second: frames that
                         are late, and frames that show the real background
      --instructions     instructions per sample of each row kernel, counted by valgrind, which
                         does not support AVX-512
      --peer             MediaPipe's Python package and OpenCV on the same frames, alternating with
                         vbgfilter; they may use all cores
      --peer-clip FILE   the same on the first 60 frames of a clip, 30 per second, played forwards
                         and backwards, with inference=when-needed; the mean of all frames

    Configurations, as lists separated by commas:
      --sizes LIST       360p, 720p, 1080p, 2160p
                         (default: all for --table, 2160p for --pipeline, 1080p for --peer,
                         --peer-clip and --clip, 720p for others)
      --effects LIST     replace, blur (default: both; blur for --streams, --load, --clip, --scenes
                         and --changes)
      --qualities LIST   fast, balanced, accurate (default: all; fast for --pipeline, --streams,
                         --changes, --peer and --peer-clip, accurate for --load)
      --isa LIST         baseline, avx2, avx512 (default: all that the processor supports)

    Settings:
      --threads N        threads of an inference and of its pixel work (default: 1)
      --frames N         frames per measurement (default: 300); for --start the number of starts,
                         at most 10
      --seconds N        duration of --streams and of each part of --load (default: 10)
      --set NAME=VALUE   another property of the element, in pipelines; may be repeated
      --plain            measures the table with the network's matte of the whole frame, without
                         removal of the real background's colour
      --quick            uses few frames: a test that everything runs, without reliable numbers
      --json FILE        writes the numbers to a file
      --svg FILE         draws a chart of the table's stages (default: .deps/stages.svg)
    """

  /// Parses the command line, without the program's name.
  ///
  /// - Throws: `UsageError`, if an argument is invalid.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      func value() throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
          throw UsageError("\(option): missing value")
        }
        return value
      }
      func number(_ range: ClosedRange<Int>) throws(UsageError) -> Int {
        let text = try value()
        guard let number = Int(text), range.contains(number) else {
          throw UsageError(
            "\(option) \(text): expected a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
      }
      func list<Item: RawRepresentable<String>>(of all: [Item]) throws(UsageError) -> [Item] {
        var items: [Item] = []
        for name in try value().split(separator: ",").map(String.init) {
          guard let item = all.first(where: { $0.rawValue == name }) else {
            let names = all.map(\.rawValue).joined(separator: ", ")
            throw UsageError("\(option) \(name): expected one of \(names)")
          }
          items.append(item)
        }
        if items.isEmpty { throw UsageError("\(option): expected a list") }
        return items
      }
      switch option {
      case "--table": table = true
      case "--pipeline": pipeline = true
      case "--streams": streams = try number(1...1000)
      case "--peer": peer = true
      case "--peer-clip": peerClipPath = try value()
      case "--start": start = true
      case "--load": load = true
      case "--clip": clipPath = try value()
      case "--scenes": scenes = true
      case "--changes": changes = try number(1...100_000)
      case "--load-alone": loadAlone = true
      case "--instructions": instructions = true
      case "--call": call = try value()
      case "--sizes": sizes = try list(of: Size.allCases)
      case "--effects": effects = try list(of: Effect.allCases)
      case "--qualities": qualities = try list(of: Quality.allCases)
      case "--isa": instructionSets = try list(of: InstructionSet.available)
      case "--threads": threads = try number(1...1024)
      case "--frames": frames = try number(1...1_000_000)
      case "--seconds": seconds = try number(1...3600)
      case "--set":
        let property = try value()
        guard let equals = property.firstIndex(of: "="), equals != property.startIndex else {
          throw UsageError("--set \(property): expected NAME=VALUE")
        }
        properties.append(property)
      case "--plain": plain = true
      case "--quick":
        frames = 4
        seconds = 2
      case "--json": jsonPath = try value()
      case "--svg": svgPath = try value()
      case "--help", "-h": help = true
      default: throw UsageError("unknown option \(option)")
      }
    }
    let live = load || streams != nil || clipPath != nil || scenes || changes != nil
    let peers = peer || peerClipPath != nil
    if !pipeline, !live, !peers, !start, !instructions, !loadAlone, call == nil {
      table = true
    }
    if svgPath != nil, !table { throw UsageError("--svg draws the table: add --table") }
  }

  /// The instruction sets that the selected measurements use.
  ///
  /// Only the table and `instructions` use the chosen sets. All others use the process's set.
  var usedInstructionSets: [InstructionSet] {
    table || instructions ? instructionSets : [.current]
  }

  /// Returns the chosen sizes, or `standard` if the user chose no sizes.
  func sizes(else standard: [Size]) -> [Size] { sizes ?? standard }

  /// Returns the chosen qualities, or `standard` if the user chose no qualities.
  func qualities(else standard: [Quality]) -> [Quality] { qualities ?? standard }
}
