import PersonSelection
import Testing

@testable import SwiftFilters

struct FaceTrackerTests {
  private let tracker = FaceTracker()
  private static let frame: UInt64 = 33_333_333

  /// Follows the faces of one frame after the other.
  private func follow(_ frames: [[Face]], from first: Int = 0) -> [[TrackedFace]] {
    frames.enumerated().map { tracker.follow($1, at: UInt64(first + $0) * Self.frame) }
  }

  @Test func aFaceKeepsItsID() {
    let results = follow((0..<60).map { [face(100 + Float($0) * 20, 100)] })
    #expect(results.allSatisfy { $0.map(\.id) == [1] })
    #expect(results[59][0].firstSeen == 0)
    #expect(results[59][0].lastSeen == 59 * Self.frame)
  }

  @Test("gives a new face a new ID")
  func newID() {
    let one = face(100, 100)
    let other = face(400, 100)
    let results = follow([[one], [other, one], [other, one], [one, other]])
    #expect(results.map { $0.map(\.id) } == [[1], [1, 2], [1, 2], [1, 2]])
    #expect(results[3][1].firstSeen == Self.frame)
    #expect(abs(results[3][1].face.box.center.x - 400) < 1)
  }

  @Test("keeps a face that is missed for a third of a second")
  func missedFace() {
    _ = follow((0..<10).map { _ in [face(100, 100)] })
    let missing = follow((0..<11).map { _ in [] }, from: 10)
    #expect(missing.allSatisfy { $0.map(\.id) == [1] })
    #expect(missing.enumerated().allSatisfy { $1[0].missed == $0 + 1 })
    #expect(missing[10][0].lastSeen == 9 * Self.frame)
    let back = follow([[face(110, 100)]], from: 21)
    #expect(back[0].map(\.id) == [1] && back[0][0].missed == 0)
  }

  @Test("forgets a face that does not return")
  func lostFace() {
    _ = follow([[face(100, 100)]])
    let results = follow((0..<14).map { _ in [] }, from: 1)
    #expect(!results[11].isEmpty && results[12].isEmpty)
    #expect(follow([[face(100, 100)]], from: 20)[0].map(\.id) == [2])
  }

  @Test func slowAnalysesLoseNoFace() {
    let results = (0..<5).map { index in
      tracker.follow([face(100 + Float(index) * 20, 100)], at: UInt64(index) * 2_000_000_000)
    }
    #expect(results.allSatisfy { $0.map(\.id) == [1] })
    #expect(tracker.follow([], at: 10_000_000_000).map(\.id) == [1])
    #expect(tracker.follow([], at: 12_000_000_000).isEmpty)
  }

  @Test func facesThatPassEachOtherStayApart() {
    // The face behind is not visible while they overlap.
    let results = follow(
      (0..<40).map { index -> [Face] in
        let front = face(100 + Float(index) * 20, 100)
        let back = face(900 - Float(index) * 20, 110)
        return abs(front.box.center.x - back.box.center.x) < 70 ? [front] : [back, front]
      })
    let first = results[0]
    let last = results[39]
    #expect(first.count == 2 && last.count == 2)
    let front = first.first { $0.face.box.center.x < 500 }?.id
    #expect(last.first { $0.face.box.center.x > 500 }?.id == front)
    #expect(Set(last.map(\.id)) == Set(first.map(\.id)))
  }

  @Test("does not move a lost track to its neighbour")
  func neighbouringFaces() {
    _ = follow((0..<10).map { _ in [face(100, 100), face(230, 100)] })
    let results = follow((0..<20).map { _ in [face(230, 100)] }, from: 10)
    for result in results {
      #expect(result.last?.id == 2)
      #expect(result.allSatisfy { ($0.id == 1) == ($0.face.box.center.x < 150) })
    }
    #expect(results[19].map(\.id) == [2])
  }

  @Test func jitterIsSmoothedAndMovementFollowed() {
    let noisy = (0..<120).map { Float(($0 * 7919) % 601) / 100 - 3 }
    let still = follow(noisy.map { [face(300 + $0, 200)] })
    func spread(_ values: [Float]) -> Float {
      let mean = values.reduce(0, +) / Float(values.count)
      return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(values.count))
        .squareRoot()
    }
    let before = spread(Array(noisy[60...]))
    #expect(spread(still[60...].map { $0[0].face.box.center.x }) < 0.5 * before)
    #expect(spread(still[60...].map { $0[0].face.keypoints.leftEye.x }) < 0.5 * before)
    // At three widths per second, the lag is less than a tenth of a width.
    tracker.reset()
    let moving = follow((0..<30).map { [face(300 + Float($0) * 10, 200)] }, from: 200)
    #expect(abs(moving[29][0].face.box.center.x - 590) < 7)
  }

  @Test("accepts times that stand still or go back")
  func oddTimes() {
    #expect(tracker.follow([face(100, 100)], at: 5)[0].id == 1)
    let still = tracker.follow([face(110, 100)], at: 5)
    #expect(still.map(\.id) == [1] && still[0].face.box.center.x == 110)
    #expect(tracker.follow([face(110, 100)], at: 4).map(\.id) == [2])
    #expect(tracker.follow([face(110, 100)], at: .max).map(\.id) == [2])
    #expect(tracker.follow([face(110, 100)], at: 0).map(\.id) == [3])
  }

  @Test("ignores faces with values that are not finite")
  func nonFiniteFaces() {
    var broken = face(100, 100)
    for value in [Float.nan, .infinity, -.infinity] {
      broken.keypoints.mouth.x = value
      #expect(tracker.follow([broken, face(300, 100)], at: 0).count == 1)
    }
    let extreme = face(.greatestFiniteMagnitude, -.greatestFiniteMagnitude, width: 1e-30)
    for time in 1..<20 {
      let faces = [extreme, face(300, 100), face(-1e20, 0, width: -5)]
      #expect(tracker.follow(faces, at: UInt64(time) * Self.frame).contains { $0.id == 1 })
    }
  }
}

/// Returns a face with level eyes.
private func face(_ x: Float, _ y: Float, width: Float = 100) -> Face {
  let middle = FacePoint(x: x, y: y)
  return Face(
    box: FaceBox(center: middle, width: width, height: width),
    keypoints: FaceKeypoints(
      rightEye: FacePoint(x: x - width / 4, y: y), leftEye: FacePoint(x: x + width / 4, y: y),
      noseTip: middle, mouth: middle, rightEar: middle, leftEar: middle),
    score: 0.9)
}
