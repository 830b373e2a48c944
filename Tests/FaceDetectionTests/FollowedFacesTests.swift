import CAllocationCounter
import InferenceTypes
import PixelTypes
import Processor
import TestSupport
import Testing
import VirtualBackground

@testable import FaceDetection

/// The blue face is the one in front, the red one is seen by the network for patches.
struct FollowedFacesTests {
  private let network = FakeFaceNetwork()
  private let patches = FakePatchNetwork()
  private let halfHidden: HalfHiddenFaces
  private let followed: FollowedFaces
  private let picture = TestPicture(
    format: FrameFormat(
      width: 1280, height: 720, colorimetry: Colorimetry(matrix: .bt709, range: .limited)))

  init() {
    let kernels = InstructionSet.current.kernels
    halfHidden = HalfHiddenFaces(network: patches, kernels: kernels)
    followed = FollowedFaces(
      FaceDetector(network: network, kernels: kernels), halfHidden: halfHidden)
    picture.paint(red: 90, green: 90, blue: 90)
    picture.paint(red: 0, green: 0, blue: 255) { 500..<700 ~= $0 && 200..<400 ~= $1 }
    picture.paint(red: 255, green: 0, blue: 0) { 390..<470 ~= $0 && 255..<345 ~= $1 }
    network.channels = [2]
  }

  private func find(_ frame: Int) throws -> [SeenFace] {
    try find(at: UInt64(frame) * 33_000_000)
  }

  private func find(at time: UInt64) throws -> [SeenFace] {
    try followed.find(
      in: picture.frame, format: picture.format, at: time, isShown: { _, _ in true })
  }

  @Test func halfAFaceIsFollowedAndStaysTheSameWhenAllOfItShows() throws {
    var faces: [SeenFace] = []
    for frame in 0..<3 {
      faces = try find(frame)
      #expect(faces.count == 1)
    }
    for frame in 3..<10 { faces = try find(frame) }
    #expect(faces.count == 2)
    let (front, behind) = (try #require(faces.first), try #require(faces.last))
    #expect(abs(front.x - 600) < 20 && abs(behind.x - 430) < 20)
    network.channels = [0, 2]
    for frame in 10..<20 { faces = try find(frame) }
    #expect(faces.map(\.id) == [front.id, behind.id])
  }

  @Test func whereFewFramesAreLookedAtEachIsLookedAtMore() throws {
    patches.score = 0
    _ = try find(at: 1_000_000_000)
    func looks(at time: UInt64) throws -> Int {
      let before = halfHidden.inferences
      _ = try find(at: time)
      return halfHidden.inferences - before
    }
    #expect(try looks(at: 1_033_333_333) == 1)
    #expect(try looks(at: 1_041_000_000) == 1)
    #expect(try looks(at: 1_141_000_000) == 3)
    #expect(try looks(at: 9_000_000_000) == 4)
    #expect(try looks(at: 8_000_000_000) == 1)
    #expect(try looks(at: .max) == 4)
    #expect(try looks(at: 0) == 1)
  }

  @Test func forgettingStartsAnew() throws {
    for frame in 0..<10 { _ = try find(frame) }
    followed.forgetPast()
    #expect(try find(10).count == 1)
    for frame in 11..<13 { _ = try find(frame) }
    #expect(try find(13).count == 2)
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
    for _ in 0..<20 where count() != 2 { Issue.record("two faces are followed") }
    #expect(allocation_counter_count() - before == 0)
  }
}
