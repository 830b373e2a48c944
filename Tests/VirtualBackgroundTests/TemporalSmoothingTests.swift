import PixelTypes
import Processor
import TestSupport
import Testing

@testable import Matting

@Suite struct TemporalSmoothingTests {
  private static let size = 32

  /// The middle of each smoothed matte, of uniform mattes over uniform pictures.
  private func smoothed(
    _ alphas: [UInt8], luma: (Int) -> UInt8 = { _ in 100 }, strength: Double
  ) -> [UInt8] {
    let size = Self.size
    let smoothing = TemporalSmoothing(
      width: size, height: size, kernels: InstructionSet.current.kernels)
    return alphas.enumerated().map { index, alpha in
      let matte = Raster<UInt8>(width: size, height: size, filledWith: alpha)
      let picture = Raster<UInt8>(width: size, height: size, filledWith: luma(index))
      smoothing.smooth(matte, luma: picture.plane, strength: strength)
      return unsafe matte.row(size / 2)[size / 2]
    }
  }

  @Test func theFirstMatteIsTakenAsItIs() {
    #expect(smoothed([180], strength: 1) == [180])
  }

  @Test func withoutStrengthNothingIsSmoothed() {
    #expect(smoothed([0, 25, 230, 80], strength: 0) == [0, 25, 230, 80])
  }

  @Test func aStillNoisyMatteBecomesSteady() {
    let trembling = (0..<40).map { $0 % 2 == 0 ? UInt8(115) : 140 }
    let values = smoothed(trembling, strength: 0.5).suffix(10)
    let swing = (values.max() ?? 255) - (values.min() ?? 0)
    #expect(swing <= 8)
  }

  @Test func aLargeChangeIsFollowedAtOnce() {
    #expect(smoothed([0, 255], strength: 1)[1] == 255)
    #expect(smoothed([255, 0], strength: 1)[1] == 0)
  }

  @Test func whereThePictureMovesTheMatteIsFollowedAtOnce() {
    let still = smoothed([0, 80], strength: 1)[1]
    let moving = smoothed([0, 80], luma: { $0 == 0 ? 100 : 160 }, strength: 1)[1]
    #expect(moving == 80)
    #expect(still < 40)
  }

  @Test func theNoiseOfACameraIsNoMotion() {
    let noisy = smoothed([0, 80], luma: { $0 == 0 ? 100 : 103 }, strength: 1)[1]
    #expect(noisy == smoothed([0, 80], strength: 1)[1])
  }

  @Test func aJumpingHandHasNoTrailAfterOneFrame() {
    let size = 64
    let smoothing = TemporalSmoothing(
      width: size, height: size, kernels: InstructionSet.current.kernels)
    func frame(handAt column: Int) -> (matte: Raster<UInt8>, luma: Raster<UInt8>) {
      let matte = Raster<UInt8>(width: size, height: size, filledWith: 0)
      let luma = Raster<UInt8>(width: size, height: size, filledWith: 60)
      for y in 20..<40 {
        for x in column..<column + 12 {
          // An edge of the hand that the network is not sure of.
          unsafe matte.row(y)[x] = x < column + 2 ? 120 : 255
          unsafe luma.row(y)[x] = 180
        }
      }
      return (matte, luma)
    }
    for column in [8, 8, 8, 40] {
      let (matte, luma) = frame(handAt: column)
      smoothing.smooth(matte, luma: luma.plane, strength: 1)
      guard column == 40 else { continue }
      for y in 0..<size {
        for x in 0..<size where !(40..<52 ~= x && 20..<40 ~= y) {
          #expect(unsafe matte.row(y)[x] == 0, "a trail at \(x), \(y)")
        }
      }
      #expect(unsafe matte.row(30)[45] == 255)
    }
  }

  @Test func strongerIsSteadier() {
    let half = smoothed([0, 50], strength: 0.5)[1]
    let full = smoothed([0, 50], strength: 1)[1]
    #expect(full < half && half < 50)
  }

  @Test func whatIsForgottenIsNotMixedIn() {
    let smoothing = TemporalSmoothing(
      width: 16, height: 16, kernels: InstructionSet.current.kernels)
    let luma = Raster<UInt8>(width: 16, height: 16, filledWith: 50)
    for alpha: UInt8 in [200, 90] {
      smoothing.reset()
      let matte = Raster<UInt8>(width: 16, height: 16, filledWith: alpha)
      smoothing.smooth(matte, luma: luma.plane, strength: 1)
      #expect(unsafe matte.row(8)[8] == alpha)
    }
  }
}
