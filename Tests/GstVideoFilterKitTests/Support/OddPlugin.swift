import CGStreamer
import Synchronization
import TestSupport
import Threads

@testable import GstVideoFilterKit

/// Filters that are valid but unusual.
enum OddPlugin {
  static let plugin = Plugin(
    name: "kitodd", summary: "Odd filters for tests", version: "", license: .lgpl, author: "",
    filters: [
      UnderscoredProperty.self, NoName.self, NoSummary.self, HeldSetUp.self, Watched.self,
      Fickle.self, StaticallyBlack.self, OtherNothing.self, OtherNothing.self,
    ], switcher: "kit-odd-switcher")

  /// GObject's complaints since the registration.
  static let complaints = Monitor<[String]>([])

  /// Whether GStreamer can create its elements.
  static let isReady: Bool = {
    guard TestPlugin.isReady else { return false }
    _ = unsafe g_log_set_handler(
      "GLib-GObject", G_LOG_LEVEL_WARNING,
      { _, _, text, _ in
        guard let text = unsafe text else { return }
        let line = unsafe String(cString: text)
        OddPlugin.complaints.withLock { $0.append(line) }
      }, nil)
    return plugin.register()
  }()
}

struct UnderscoredProperty: VideoFilter {
  static let id = "kit-underscored", name = "Underscored"
  static let properties: [FilterProperty<Self>] = [
    .integer("more_light", \.amount, in: 0...255, "How much is added"),
    .choice("at_end", \.mode, "What happens beyond the end"),
  ]
  var amount = 1
  var mode = Brighter.Mode.wrap
  func process(_ frame: inout VideoFrame) throws {
    let amount = UInt8(clamping: amount)
    frame.luma.map { $0 &+ amount }
  }
}

/// A filter that declares different properties on each call.
struct Fickle: VideoFilter {
  static let id = "kit-fickle", name = "Fickle"
  static let asked = Atomic(0)
  static var properties: [FilterProperty<Self>] {
    (0...asked.add(1, ordering: .relaxed).oldValue).map {
      .integer("number-\($0)", \.number, in: 0...9, "")
    }
  }
  var number = 1
  func process(_ frame: inout VideoFrame) throws {
    let number = UInt8(clamping: number)
    frame.luma.fill(number)
  }
}

/// A filter that sets `onError` for the whole type.
struct StaticallyBlack: VideoFilter {
  static let id = "kit-black", name = "Black"
  static let onError = FailedFrame.black
  func process(_ frame: inout VideoFrame) throws { throw TestError(text: "nothing to be done") }
}

/// A filter with a name that another plugin already uses.
struct OtherNothing: VideoFilter {
  static let id = "kit-nothing", name = "Other"
  func process(_ frame: inout VideoFrame) throws {}
}

struct NoName: VideoFilter {
  static let id = "kit-no-name", name = ""
  static let summary = "Something"
  func process(_ frame: inout VideoFrame) throws {}
}

struct NoSummary: VideoFilter {
  static let id = "kit-no-summary", name = "Something"
  static let summary = "\0"
  func process(_ frame: inout VideoFrame) throws {}
}

/// An analysis that a gate can block.
///
/// Reports the frame size of its picture and of its set-up.
struct Watched: VideoAnalyzer {
  struct Sizes: AnalysisResult, Equatable {
    let picture: Int
    let stream: Int
    /// The number of pictures analysed so far, including this one.
    let count: Int
    var fields: [String: FieldValue] {
      ["picture": .integer(picture), "stream": .integer(stream)]
    }
  }

  static let id = "kit-watched", name = "Watched"
  static let formats = VideoFrame.Format.allCases
  /// The gates that block the set-up and the analyses.
  static let setUpGate = Gate()
  static let gate = Gate()
  /// The number of analyzers that are set up, and the number of tear-downs.
  static let record = Monitor((live: 0, tearDowns: 0))

  private var width = 0
  private var count = 0

  static let properties: [FilterProperty<Self>] = [
    .flag("refused", \.isRefused, "Whether it cannot be set up")
  ]
  private var isRefused = false
  private var isSetUp = false

  mutating func setUp(for stream: VideoStream) throws {
    Self.setUpGate.pass()
    if isRefused { throw TestError(text: "nothing to look with") }
    width = stream.width
    isSetUp = true
    Self.record.change { $0.live += 1 }
  }

  mutating func tearDown() {
    let wasSetUp = isSetUp
    isSetUp = false
    Self.record.change { record in
      record.tearDowns += 1
      if wasSetUp { record.live -= 1 }
    }
  }

  mutating func analyze(_ picture: AnalysisPicture) throws -> Sizes? {
    count += 1
    Self.gate.pass()
    return Sizes(picture: picture.stream.width, stream: width, count: count)
  }
}
