import Compositing
import Matting
import PixelTypes

/// Shows the region of each frame that contains the people, enlarged to the size of the frame.
///
/// Mattes are made from whole frames. Then frame, reduced frame and matte are enlarged together, so
/// every effect works as with a whole frame. A background picture therefore stays still. Not
/// thread-safe.
final class PeopleFraming {
  /// The part of the last frame that is shown.
  private(set) var region = ShownRegion.whole

  private let format: FrameFormat
  private let bands: Bands
  private let kernels: any RowKernels.Type
  private var follower = PeopleFollower()
  /// Enlarges regions, or nil before a frame is first enlarged.
  private var zoom: RegionZoom?

  /// Begins with whole frames of `format`.
  init(format: FrameFormat, bands: Bands, kernels: any RowKernels.Type) {
    (self.format, self.bands, self.kernels) = (format, bands, kernels)
  }

  /// Returns to the whole frame.
  func reset() {
    guard follower.isUsed else { return }
    follower = PeopleFollower()
    region = .whole
    zoom = nil
  }

  /// Moves the region for a frame at `time`, given its upright matte.
  func follow(_ upright: Matte, _ settings: EffectSettings, at time: UInt64) {
    guard settings.framing == .follow else { return reset() }
    region = follower.follow(upright, maxZoom: settings.maxZoom, at: time)
      .turned(by: format.orientation.inverse)
  }

  /// Replaces a frame, its reduced frame and its matte by their shown region.
  ///
  /// Returns false, and changes nothing, if the whole frame is shown.
  func enlarge(_ input: inout FrameComposer.Input) -> Bool {
    guard region.size < 1 else { return false }
    let enlarged = madeZoom(shift: input.shift).zoom(
      input.frame, input.reduced, input.matte, to: region)
    (input.frame, input.reduced, input.matte) = enlarged
    return true
  }

  /// Returns the shown region of a frame without a matte, or nil if the whole frame is shown.
  ///
  /// The region is that of the last frame with a matte.
  func enlarge(_ frame: Frame) -> Frame? {
    guard region.size < 1 else { return nil }
    return zoom?.zoom(frame, to: region)
  }

  private func madeZoom(shift: Int) -> RegionZoom {
    if let zoom, zoom.shift == shift { return zoom }
    let made = RegionZoom(format: format, shift: shift, bands: bands, kernels: kernels)
    zoom = made
    return made
  }
}
