import Compositing
import Matting
import PixelTypes

/// A frame with its matte.
struct MattedFrame {
  var frame: Frame
  /// The same frame, reduced by `1 << shift`.
  var reduced: Frame
  let shift: Int
  var matte: Matte
  /// Whether the matte follows the edge of the person exactly.
  let isExact: Bool
  /// The time of the frame in nanoseconds.
  let time: UInt64
}

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
  private var follower = PeopleFollower()
  /// Enlarges regions, or nil before a frame is first enlarged.
  private var zoom: RegionZoom?

  /// Begins with whole frames of `format`.
  init(format: FrameFormat, bands: Bands) { (self.format, self.bands) = (format, bands) }

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
    region = follower.follow(PeopleOutline(of: upright), maxZoom: settings.maxZoom, at: time)
      .turned(by: format.orientation.inverse)
  }

  /// Replaces a frame, its reduced frame and its matte by their shown region.
  ///
  /// Returns false, and changes nothing, if the whole frame is shown.
  func enlarge(_ input: inout MattedFrame) -> Bool {
    guard region.size < 1 else { return false }
    if zoom?.shift != input.shift {
      zoom = RegionZoom(format: format, shift: input.shift, bands: bands)
    }
    guard let zoom else { return false }
    (input.frame, input.reduced, input.matte) = zoom.zoom(
      input.frame, input.reduced, input.matte, to: region)
    return true
  }
}
