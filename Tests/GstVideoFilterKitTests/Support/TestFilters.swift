import GstVideoFilterKit
import Synchronization

/// The example filter of the README.
struct Gray: VideoFilter {
  static let id = "kit-gray", name = "Grey"
  func process(_ frame: inout VideoFrame) throws { frame.chroma.fill(128) }
}

struct Nothing: VideoFilter {
  static let id = "kit-nothing", name = "Nothing"
  static let formats = VideoFrame.Format.allCases
  func process(_ frame: inout VideoFrame) throws {}
}

/// Adds a constant to the luma.
struct Brighter: VideoFilter {
  enum Mode: String, CaseIterable { case wrap, saturate }

  static let id = "kit-brighter", name = "Brighter"
  static let summary = "Adds to the luma"
  static let properties: [FilterProperty<Self>] = [
    .integer("amount", \.amount, in: -255...255, "How much is added"),
    .number("share", \.share, in: 0...1, "How much of it counts"),
    .flag("upside-down", \.isNegative, "Whether to take away instead"),
    .text("label", \.label, "Whatever"),
    .choice("mode", \.mode, "What happens beyond the end"),
  ]

  var amount = 10
  var share = 1.0
  var isNegative = false
  var label = "none"
  var mode = Mode.wrap

  mutating func setUp(for stream: VideoStream) throws {
    if label == "refused" { throw TestError(text: "no such label") }
  }

  func process(_ frame: inout VideoFrame) throws {
    let sum = Int((Double(isNegative ? -amount : amount) * share).rounded())
    let mode = mode
    frame.luma.map { sample in
      let value = Int(sample) + sum
      return mode == .wrap ? UInt8(truncatingIfNeeded: value) : UInt8(clamping: value)
    }
  }
}

/// Counts its live values, for a single test.
struct Counted: VideoFilter {
  static let id = "kit-counted", name = "Counted"
  static let lives = Atomic(0)
  static let setUps = Atomic(0)

  func setUp(for stream: VideoStream) throws {
    Self.lives.add(1, ordering: .relaxed)
    Self.setUps.add(1, ordering: .relaxed)
  }

  func tearDown() { Self.lives.subtract(1, ordering: .relaxed) }

  func process(_ frame: inout VideoFrame) throws { frame.luma.map { $0 &+ 10 } }
}

/// Doubles the luma, so that the order of filters matters.
struct Doubler: VideoFilter {
  static let id = "kit-doubler", name = "Doubler"
  func process(_ frame: inout VideoFrame) throws { frame.luma.map { $0 &* 2 } }
}

struct TestError: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}

/// Paints the upper half white and throws, in every third frame.
struct ThrowsEachThird: VideoFilter {
  enum Then: String, CaseIterable { case asIs = "as-is", untouched, black, drop }

  static let id = "kit-throws", name = "Throws"
  static let formats = VideoFrame.Format.allCases
  static let properties: [FilterProperty<Self>] = [
    .choice("then", \.then, "What becomes of the frame"),
    .flag("only-warns", \.onlyWarns, "Whether the frame is done nevertheless"),
  ]

  var then = Then.asIs
  var onlyWarns = false
  private var count = 0

  var onError: FailedFrame {
    switch then {
    case .asIs: .asIs
    case .untouched: .untouched
    case .black: .black
    case .drop: .drop
    }
  }

  mutating func process(_ frame: inout VideoFrame) throws {
    count += 1
    guard count % 3 == 0 else { return }
    frame.luma.forEachRow { row, y in
      if y == 0 { for x in row.indices { row[x] = 235 } }
    }
    frame.pixels.forEachRow { row, y in
      if y == 0 { for x in row.indices { row[x] = 235 } }
    }
    let error = TestError(text: "the third frame is not liked")
    throw onlyWarns ? FilterWarning(error) : error
  }
}

/// The result of an analysis: the mean luma.
struct Mean: AnalysisResult, Equatable {
  let mean: Int
  let width: Int
  var fields: [String: FieldValue] {
    [
      "mean": .integer(mean), "sizes": .integers([width, .max]), "shares": .numbers([0.25, 2]),
      "names": .texts(["a", "b c"]), "large": .integer(.max), "sure": .flag(true),
      "faces": .list([["half": .number(0.5)], ["name": .text("x")]]),
      "place": .fields(["x": .integer(3)]),
    ]
  }
}

struct SlowMean: VideoAnalyzer {
  static let id = "kit-mean", name = "Mean"
  static let picture = PictureRequest(maximumWidth: 16, format: .luma)
  static let properties: [FilterProperty<Self>] = [
    .integer("delay", \.delay, in: 0...1000, "Milliseconds of an analysis"),
    .flag("fails", \.fails, "Whether it throws"),
  ]

  var delay = 0
  var fails = false

  func analyze(_ picture: AnalysisPicture) throws -> Mean? {
    sleep(milliseconds: delay)
    if fails { throw TestError(text: "nothing to be seen") }
    let sum = picture.bytes.reduce(0) { $0 + Int($1) }
    return Mean(mean: sum / picture.bytes.count, width: picture.width)
  }
}

/// An analyzer that reads a colour.
struct FirstColor: VideoAnalyzer {
  struct Color: AnalysisResult, Equatable {
    let red: Int
    let green: Int
    let blue: Int
    var fields: [String: FieldValue] {
      ["red": .integer(red), "green": .integer(green), "blue": .integer(blue)]
    }
  }

  static let id = "kit-color", name = "Colour"
  static let formats = VideoFrame.Format.allCases

  func analyze(_ picture: AnalysisPicture) throws -> Color? {
    Color(red: Int(picture.bytes[0]), green: Int(picture.bytes[1]), blue: Int(picture.bytes[2]))
  }
}

/// Sleeps in each frame.
struct Sleeper: VideoFilter {
  static let id = "kit-sleeper", name = "Sleeper"
  func process(_ frame: inout VideoFrame) throws {
    sleep(milliseconds: 20)
    frame.chroma.fill(100)
  }
}

// Invalid declarations: GStreamer cannot create elements from them.

struct WrongID: VideoFilter {
  static let id = "", name = "Nameless"
  func process(_ frame: inout VideoFrame) throws {}
}

struct WrongProperties: VideoFilter {
  enum Nothing: String, CaseIterable { case only }
  static let id = "kit-wrong", name = "Wrong"
  static let properties: [FilterProperty<Self>] = [
    .number("strength", \.strength, in: 0...1, ""),
    .number("strength", \.strength, in: 0...10, ""),
    .number("a b", \.strength, in: 0...10, ""),
    .number("ends", \.strength, in: 10...0, ""),
    .number("endless", \.strength, in: 0...(.infinity), ""),
    .integer("large", \.count, in: 0...(.max), ""),
    .flag("name", \.flag, ""),
    .flag("active", \.flag, ""),
  ]
  var strength = 5.0
  var count = 0
  var flag = false
  func process(_ frame: inout VideoFrame) throws {}
}

struct NoFormats: VideoFilter {
  static let id = "kit-formatless", name = "Formatless"
  static let formats: [VideoFrame.Format] = []
  func process(_ frame: inout VideoFrame) throws {}
}

struct Neither: VideoElement {
  static let id = "kit-neither", name = "Neither"
}
