import PixelTypes
import Processor
import TestSupport
import Testing

@testable import Matting

@Suite struct MatteWarpTests {
  private let scene = MovingScene()
  private let start = (x: 100, y: 50)

  /// The matte of the scene's beginning, moved to another picture; nil if that is another scene.
  private func warped(
    to picture: Raster<UInt8>, from before: Raster<UInt8>, matte: Raster<UInt8>,
    kernels: any RowKernels.Type = InstructionSet.current.kernels
  ) -> Raster<UInt8>? {
    let format = FrameFormat(
      width: picture.width, height: picture.height,
      colorimetry: Colorimetry(matrix: .bt709, range: .limited))
    let warp = MatteWarp(grid: MatteGrid(format: format, shift: 0), kernels: kernels)
    warp.prepare(matte, picture: before.plane)
    let fit = warp.find(picture.plane, in: before.plane, age: 33_333_333)
    guard fit != .otherScene else { return nil }
    warp.move(matte, from: before.plane, to: picture.plane)
    return warp.matte.samples
  }

  private func samples(_ raster: Raster<UInt8>) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: raster.base, count: raster.width * raster.height))
  }

  /// Samples of the room that are shown, and samples of the person that are not.
  private func wrong(
    _ matte: Raster<UInt8>, personAt corner: (x: Int, y: Int)
  ) -> (room: Int, person: Int) {
    var (room, person) = (0, 0)
    for y in 0..<scene.height {
      for x in 0..<scene.width {
        let isShown = unsafe matte.row(y)[x] >= 128
        if scene.isPerson(x, y, at: corner) {
          person += isShown ? 0 : 1
        } else {
          room += isShown ? 1 : 0
        }
      }
    }
    return (room, person)
  }

  static let moves = [(6, 0), (-6, 0), (0, 6), (12, -4), (-18, 6), (3, 1)]

  @Test(arguments: moves)
  func theMatteGoesWithThePerson(x: Int, y: Int) throws {
    let end = (x: start.x + x, y: start.y + y)
    let matte = scene.matte(at: start)
    let moved = try #require(
      warped(to: scene.picture(at: end), from: scene.picture(at: start), matte: matte))
    var farFromOutline = 0
    for row in 0..<scene.height {
      for column in 0..<scene.width {
        let isPerson = scene.isPerson(column, row, at: end)
        let isShown = unsafe moved.row(row)[column] >= 128
        let isNearOutline = [(-4, 0), (4, 0), (0, -4), (0, 4)].contains {
          scene.isPerson(column + $0.0, row + $0.1, at: end) != isPerson
        }
        if !isNearOutline, isShown != isPerson { farFromOutline += 1 }
      }
    }
    #expect(farFromOutline <= 4)
    let (before, after) = (wrong(matte, personAt: end), wrong(moved, personAt: end))
    #expect(3 * after.room < before.room && 3 * after.person < before.person)
  }

  /// By whole samples it would be half a sample off, and alpha at the outline half of 255.
  @Test(arguments: [(1, 0), (0, 1), (-1, 1)])
  func theMatteMovesByPartsOfASample(x: Int, y: Int) throws {
    let large = MovingScene(width: 640, height: 360)
    func reduced(_ raster: Raster<UInt8>) -> Raster<UInt8> {
      let small = Raster<UInt8>(width: 320, height: 180, filledWith: 0)
      BoxReducer(width: 640, shift: 1, kernels: InstructionSet.current.kernels)
        .reduce(raster.plane, into: small)
      return small
    }
    let end = (x: start.x + x, y: start.y + y)
    let matte = reduced(large.matte(at: start)), truth = reduced(large.matte(at: end))
    let moved = try #require(
      warped(
        to: reduced(large.picture(at: end)), from: reduced(large.picture(at: start)),
        matte: matte))
    func error(_ other: Raster<UInt8>) -> Int {
      zip(samples(other), samples(truth)).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    }
    #expect(2 * error(moved) < error(matte))
  }

  /// What may be the noise of another camera is a motion where there is no noise.
  @Test func aPictureWithoutNoiseShowsFaintMotions() throws {
    func faint(_ raster: Raster<UInt8>) -> Raster<UInt8> {
      for i in 0..<raster.width * raster.height { unsafe raster.base[i] /= 12 }
      return raster
    }
    let end = (x: start.x + 1, y: start.y)
    let matte = scene.matte(at: start)
    let moved = try #require(
      warped(
        to: faint(scene.picture(at: end)), from: faint(scene.picture(at: start)), matte: matte))
    let (before, after) = (wrong(matte, personAt: end), wrong(moved, personAt: end))
    #expect(5 * after.room < 4 * before.room && 5 * after.person < 4 * before.person)
  }

  @Test func whatRestsIsLeftAloneToTheBit() throws {
    // Not a matte that fits: whatever it is, it stays.
    var generator = SeededGenerator(seed: 5)
    let matte = scene.matte(at: (x: 117, y: 33))
    for i in 0..<2000 { unsafe matte.base[7 * i] = UInt8.random(in: 0...255, using: &generator) }
    let still = try #require(
      warped(
        to: scene.picture(at: start, noise: 3, seed: 1),
        from: scene.picture(at: start, noise: 3, seed: 2), matte: matte))
    #expect(samples(still) == samples(matte))
  }

  @Test func anotherSceneIsNoticed() {
    let other = Raster<UInt8>(width: scene.width, height: scene.height, filledWith: 0)
    for y in 0..<scene.height {
      for x in 0..<scene.width {
        unsafe other.row(y)[x] = UInt8(MovingScene.texture(x / 3, y / 3, seed: 99))
      }
    }
    #expect(
      warped(to: other, from: scene.picture(at: start), matte: scene.matte(at: start)) == nil)
    let dark = Raster<UInt8>(width: scene.width, height: scene.height, filledWith: 5)
    #expect(
      warped(to: dark, from: scene.picture(at: start), matte: scene.matte(at: start)) == nil)
  }

  /// What is to be seen of the room behind somebody who jumped away is found in the room around.
  @Test func theRoomBehindSomeoneWhoJumpsIsHidden() throws {
    let end = (x: 230, y: 100)
    let matte = scene.matte(at: start)
    let moved = warped(
      to: scene.picture(at: end), from: scene.picture(at: start), matte: matte)
    // Or it was noticed that the person is gone.
    guard let moved else { return }
    #expect(4 * wrong(moved, personAt: end).room < wrong(matte, personAt: end).room)
  }

  @Test func theRoomMayChangeWhereNobodyIs() {
    let empty = Raster<UInt8>(width: scene.width, height: scene.height, filledWith: 0)
    let dark = Raster<UInt8>(width: scene.width, height: scene.height, filledWith: 5)
    let moved = warped(to: dark, from: scene.picture(at: start), matte: empty)
    #expect(moved.map(samples) == samples(empty))
  }

  /// Whatever the pictures are: no sample outside of them is read, and nothing traps.
  @Test(arguments: [
    (8, 8), (10, 10), (10, 37), (12, 11), (7, 40), (9, 200), (41, 80), (333, 61), (1, 1),
    (1000, 16),
  ])
  func anySizeIsTaken(width: Int, height: Int) {
    var generator = SeededGenerator(seed: UInt64(width))
    func random(_ range: ClosedRange<UInt8>) -> Raster<UInt8> {
      let raster = Raster<UInt8>(width: width, height: height, filledWith: 0)
      for i in 0..<width * height {
        unsafe raster.base[i] = UInt8.random(in: range, using: &generator)
      }
      return raster
    }
    for range: ClosedRange<UInt8> in [0...255, 100...130] {
      _ = warped(to: random(range), from: random(range), matte: random(0...255))
      // What is the same everywhere stays so, wherever it is moved.
      for alpha: UInt8 in [0, 90, 255] {
        let flat = Raster<UInt8>(width: width, height: height, filledWith: alpha)
        let moved = warped(to: random(range), from: random(range), matte: flat)
        #expect(moved.map { samples($0).allSatisfy { $0 == alpha } } != false)
      }
    }
  }

  @Test func allInstructionSetsAgree() {
    let picture = scene.picture(at: (x: 109, y: 47), noise: 2, seed: 4)
    let results = InstructionSet.available.map {
      warped(
        to: picture, from: scene.picture(at: start), matte: scene.matte(at: start),
        kernels: $0.kernels
      ).map(samples)
    }
    #expect(results.allSatisfy { $0 != nil && $0 == results[0] })
  }
}
