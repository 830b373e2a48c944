import GstVideoFilterKit
import PersonSelection

/// Reports the number of faces, their boxes, and their times of arrival.
struct Attendance: VideoAnalyzer {
  static let id = "attendance", name = "Attendance"
  static let summary = "Reports the number of faces, their boxes, and since when they are present"
  static let formats: [VideoFrame.Format] = [.nv12, .i420, .rgba]
  static let picture = PictureRequest(maximumWidth: 640, format: .rgb, perSecond: 10)
  static let properties: [FilterProperty<Self>] = [
    .integer(
      "interval", \.interval, in: 0...60_000,
      "Minimum milliseconds between messages. A message is posted only after a change")
  ]

  var interval = 200

  private var finder: FaceFinder?
  private var time: UInt64 = 0
  private var lastReport: Report?
  private var lastReportTime: UInt64 = 0

  /// How long a face is reported after its last detection, in nanoseconds.
  ///
  /// A face is not detected while its person looks to the side.
  private static let holdTime: UInt64 = 1_000_000_000
  /// The assumed interval between pictures without timestamps, in nanoseconds.
  private static let step: UInt64 = 33_333_333

  /// The people in a frame.
  struct Report: AnalysisResult, Equatable {
    var people: [Person]

    var fields: [String: FieldValue] {
      ["count": .integer(people.count), "faces": .list(people.map(\.fields))]
    }
  }

  /// One face.
  ///
  /// Its box extends from the hairline to the chin.
  struct Person: Equatable, Sendable {
    /// Identifies the face in all reports while it is present.
    var id: Int
    /// Left and upper edge, width and height, as fractions of the frame's width and height.
    ///
    /// The box may extend beyond the frame.
    var box: SIMD4<Double>
    /// The stream time of the first detection, in seconds.
    var since: Double

    var fields: [String: FieldValue] {
      [
        "id": .integer(id), "x": .number(box.x), "y": .number(box.y), "width": .number(box.z),
        "height": .number(box.w), "since": .number(since),
      ]
    }
  }

  mutating func setUp(for stream: VideoStream) throws {
    finder = try FaceFinder(holdTime: Self.holdTime)
    lastReport = nil
  }

  mutating func tearDown() { finder = nil }

  mutating func analyze(_ picture: AnalysisPicture) throws -> Report? {
    guard let finder else { return nil }
    let time = picture.timestamp?.nanoseconds ?? self.time &+ Self.step
    if time < self.time { lastReport = nil }
    self.time = time
    let report = Report(
      people: try finder.faces(in: picture, at: time).map { Person($0, in: picture) })
    if let lastReport {
      guard report.differs(from: lastReport),
        time - lastReportTime >= UInt64(max(interval, 0)) * 1_000_000
      else { return nil }
    }
    lastReport = report
    lastReportTime = time
    return report
  }
}

extension Attendance.Person {
  /// Converts a face in a picture of the frame.
  init(_ tracked: TrackedFace, in picture: AnalysisPicture) {
    id = tracked.id
    since = Double(tracked.firstSeen) / 1e9
    let box = tracked.face.box
    let width = Double(picture.stream.width) / Double(picture.scale)
    let height = Double(picture.stream.height) / Double(picture.scale)
    self.box = SIMD4(
      Double(box.x) / width, Double(box.y) / height, Double(box.width) / width,
      Double(box.height) / height)
  }
}

extension Attendance.Report {
  /// Returns whether a face has come, gone or moved by more than a fiftieth of the frame.
  func differs(from other: Attendance.Report) -> Bool {
    guard people.map(\.id) == other.people.map(\.id) else { return true }
    return zip(people, other.people).contains { person, before in
      let way = person.box - before.box
      return max(way.max(), -way.min()) > 0.02
    }
  }
}
