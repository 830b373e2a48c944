import PixelTypes

/// Finds out whether anything in the picture moved since the last inference.
///
/// The picture is compared with that of the last inference, not with the one before it, so that what
/// moves slowly adds up; in blocks, of which each counts, so that a fingertip is as good as a person.
final class StillScene {
  /// Extent of the blocks that are compared, by `RowKernels.blockDistance`.
  private static let window = 8
  /// Mean difference, in code values, by which a block of a still scene may differ, beside the noise
  /// of the camera: an edge of little contrast that moves by a sample makes more.
  private static let tolerance = 4.0
  /// How much more the noise of a block may be than that of the blocks in the middle.
  private static let unevenness = 1.5
  /// More than that is no noise.
  private static let mostNoise = 4.0
  /// Distances are counted in steps of a sixteenth of a code value, the last for all above.
  private static let steps = 128, stepsPerValue = 16
  /// A scene is still for so many nanoseconds before an inference is left out.
  ///
  /// Meanwhile a network with a memory still gets better, the smoothing comes to rest and the view
  /// becomes as small as it can be. Half a second, less the trembling of a camera's times.
  private static let timeToSettle: UInt64 = 490_000_000

  private let kernels: any RowKernels.Type
  private let counts: Raster<Int32>
  /// Since when the scene is still, in nanoseconds; nil while it is not.
  private var began: UInt64?

  /// Makes a detector.
  init(kernels: any RowKernels.Type) {
    self.kernels = kernels
    counts = Raster(width: Self.steps, height: 1, filledWith: 0)
  }

  /// The scene that comes next is not known yet.
  func forgetPast() {
    began = nil
  }

  /// Whether an inference of `picture`, at `time` nanoseconds, would find what the last one found, in
  /// `earlier`.
  ///
  /// Asked once for each frame that is to have an inference.
  func isSettled(_ picture: Plane, since earlier: Plane, at time: UInt64) -> Bool {
    guard isStill(picture, since: earlier) else {
      began = nil
      return false
    }
    // Times come from outside: they may go back.
    guard let began, time >= began else {
      began = time
      return false
    }
    return time - began >= Self.timeToSettle
  }

  private func isStill(_ picture: Plane, since earlier: Plane) -> Bool {
    let window = Self.window
    guard min(picture.width, picture.height) >= window else { return false }
    counts.fill(with: 0)
    var greatest = 0
    for y in stride(from: 0, to: picture.height, by: window) {
      let y = min(y, picture.height - window)
      let (row, earlierRow) = unsafe (picture.row(y), earlier.row(y))
      for x in stride(from: 0, to: picture.width, by: window) {
        let x = min(x, picture.width - window)
        let distance = unsafe kernels.blockDistance(
          row + x, picture.stride, earlierRow + x, earlier.stride)
        greatest = max(greatest, distance)
        let step = distance * Self.stepsPerValue / (window * window)
        unsafe counts.base[min(step, Self.steps - 1)] += 1
      }
    }
    let noise = min(medianDistance(), Self.mostNoise)
    let limit = Self.tolerance + Self.unevenness * noise
    return Double(greatest) <= limit * Double(window * window)
  }

  /// What at least half of the blocks stay below, as a mean difference: the noise, in a still scene.
  private func medianDistance() -> Double {
    let total = (0..<Self.steps).reduce(0) { unsafe $0 + Int(counts.base[$1]) }
    var seen = 0
    for step in 0..<Self.steps {
      seen += unsafe Int(counts.base[step])
      if 2 * seen >= total { return Double(step + 1) / Double(Self.stepsPerValue) }
    }
    return Self.mostNoise
  }
}
