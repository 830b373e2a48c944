import CAllocationCounter
import PixelTypes
import TestSupport
import Testing

@testable import PersonSelection

/// The detector finds the blue face in front.
///
/// `FakeFaceMapNetwork` finds the red face behind it.
struct TwoNetworkFaceFinderTests {
  private let network = FakeFaceNetwork()
  private let maps = FakeFaceMapNetwork()
  private let halfHidden: HalfHiddenFaces
  private let finder: TwoNetworkFaceFinder
  private let picture = TestPicture(format: FrameFormat(width: 1280, height: 720))

  init() {
    halfHidden = HalfHiddenFaces(network: maps)
    finder = TwoNetworkFaceFinder(FaceDetector(network: network), halfHidden: halfHidden)
    picture.paint((90, 90, 90))
    picture.paint((0, 0, 255)) { 500..<700 ~= $0 && 200..<400 ~= $1 }
    picture.paint((255, 0, 0)) { 390..<470 ~= $0 && 255..<345 ~= $1 }
    network.channels = [2]
  }

  private func find(_ frame: Int) throws -> [Face] {
    try find(at: UInt64(frame) * 33_000_000)
  }

  private func find(at time: UInt64) throws -> [Face] {
    try finder.find(in: picture.frame, format: picture.format, at: time, isShown: { _, _ in true })
  }

  @Test("finds a half-hidden face once, also when it becomes fully visible")
  func becomesVisible() throws {
    for frame in 0..<20 {
      if frame == 10 { network.channels = [0, 2] }
      let middles = try find(frame).map(\.box.center.x).sorted()
      try #require(middles.count == 2)
      #expect(abs(middles[0] - 430) < 20 && abs(middles[1] - 600) < 20)
    }
  }

  @Test("searches around a face at an interval, and after a jump of the time")
  func searchInterval() throws {
    maps.score = 0
    func looks(at time: UInt64) throws -> Int {
      let before = halfHidden.inferences
      _ = try find(at: time)
      return halfHidden.inferences - before
    }
    #expect(try looks(at: 1_000_000_000) == 1)
    #expect(try looks(at: 1_033_000_000) == 0)
    #expect(try looks(at: 1_066_000_000) == 1)
    #expect(try looks(at: 1_099_000_000) == 0)
    #expect(try looks(at: 9_000_000_000) == 1)
    #expect(try looks(at: 8_000_000_000) == 1)
    #expect(try looks(at: .max) == 1)
    #expect(try looks(at: 0) == 1)
  }

  @Test("searches around all faces of the first frame")
  func firstFrame() throws {
    maps.score = 0
    network.channels = [0, 2]
    #expect(try find(0).count == 2)
    #expect(halfHidden.inferences == 2)
  }

  @Test("forgets hidden faces on a reset, and searches at once")
  func resets() throws {
    #expect(try find(0).count == 2)
    finder.reset()
    // The next search would not be due yet.
    #expect(try find(1).count == 2)
    finder.reset()
    maps.score = 0
    #expect(try find(2).count == 1)
  }

  @Test(.enabled(if: allocation_counter_works())) func nothingIsAllocatedForAFrame() throws {
    var frame = 0
    for _ in 0..<60 {
      frame += 1
      #expect(try !find(frame).isEmpty)
    }
    func count() -> Int? {
      frame += 1
      return try? find(frame).count
    }
    let before = allocation_counter_count()
    for _ in 0..<20 where count() != 2 { Issue.record("two faces are found") }
    #expect(allocation_counter_count() - before == 0)
  }
}
