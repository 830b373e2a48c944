import GstVideoFilterKit
import Testing

@testable import SwiftFilters

@Suite(.enabled(if: SamplePerson.isInstalled), .serialized) struct AttendanceTests {
  private static let step = Duration.nanoseconds(33_333_333)
  private let stream = VideoStream(width: 1280, height: 720, format: .nv12)

  private func person(_ x: Double = 0) throws -> [UInt8] {
    let framing = Framing(width: 1280, height: 720, zoom: 1.2, x: x)
    return Coded(stream: stream).bytes(framing.picture(of: try SamplePerson.image()))
  }

  private var nobody: [UInt8] {
    Coded(stream: stream).bytes(Array(repeating: SIMD3(128, 128, 128), count: 1280 * 720))
  }

  @Test func reportsFacesThatAppearAndDisappear() throws {
    let (nobody, person) = (nobody, try person())
    let frames =
      Array(repeating: nobody, count: 10) + Array(repeating: person, count: 15)
      + Array(repeating: nobody, count: 45)
    var attendance = Attendance()
    let results = try attendance.analyze(frames, of: stream, every: Self.step)
    let told = results.enumerated().compactMap { index, report in report.map { (index, $0) } }
    #expect(told.map(\.1.people.count) == [0, 1, 0])
    try #require(told.count == 3)
    #expect(told[0].0 == 0)
    #expect(10...16 ~= told[1].0)
    // A second after the last detection.
    #expect(54...58 ~= told[2].0)
    let one = told[1].1.people[0]
    #expect(0.3..<0.6 ~= one.since)
    // The face, from hairline to chin, read by hand: 183 to 268 and 62 to 165 of 512.
    func across(_ x: Double) -> Double { (640 + 1.2 * (x - 256)) / 1280 }
    func down(_ y: Double) -> Double { (360 + 1.2 * (y - 256)) / 720 }
    let expected = SIMD4<Double>(
      across(183), down(62), across(268) - across(183), down(165) - down(62))
    let (x, y) = (one.box.x + one.box.z / 2, one.box.y + one.box.w / 2)
    #expect(abs(x - expected.x - expected.z / 2) < expected.z / 10, "\(one.box) for \(expected)")
    #expect(abs(y - expected.y - expected.w / 2) < expected.w / 10, "\(one.box) for \(expected)")
    #expect(0.8...1.25 ~= one.box.z / expected.z && 0.8...1.25 ~= one.box.w / expected.w)
    let fields = told[1].1.fields
    #expect(fields["count"] == .integer(1))
    #expect(fields["faces"] == .list([one.fields]))
    #expect(Set(one.fields.keys) == ["id", "x", "y", "width", "height", "since"])
  }

  @Test func reportsMovesAtMostOncePerInterval() throws {
    let frames = try (0..<30).map { try person(10 * Double($0)) }
    for (interval, most) in [(0, 30), (300, 4), (2000, 1)] {
      var attendance = Attendance()
      attendance.interval = interval
      let results = try attendance.analyze(frames, of: stream, every: Self.step)
      let count = results.count { $0 != nil }
      #expect(count <= most)
      #expect(count >= (interval == 0 ? 8 : most == 4 ? 3 : 1))
      let ids = Set(results.compactMap { $0?.people.map(\.id) })
      #expect(ids == [[1]])
    }
    // A person at rest is reported once.
    var attendance = Attendance()
    attendance.interval = 0
    let still = Array(repeating: frames[0], count: 30)
    #expect(try attendance.analyze(still, of: stream, every: Self.step).count { $0 != nil } == 1)
  }
}
