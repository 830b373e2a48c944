import PixelTypes

/// Turns frames and masks upright for the networks, and mattes back.
///
/// Upright frames consist of whole blocks: the last column and row of the frames are repeated to
/// that size. So samples of reduced frames, mattes and chroma cover the same pixels in each
/// orientation. Chroma that is sited to the left of its pixels is above or to the right of them
/// after turning. This offset of half a pixel does not affect the networks.
package final class UprightView: BandedWork {
  /// The format of the upright frames.
  package let format: FrameFormat

  /// The side of the largest block that is reduced to one sample.
  private static let block = 1 << BoxReducer.maxShift

  private let orientation: ImageOrientation
  /// The size in whole blocks before turning.
  private let padded: (width: Int, height: Int)
  private let shift: Int
  private let bands: Bands
  private let job = BandedJob()
  private var source: Frame?
  private let whole: FrameCopy
  /// The reduced frame, or nil if reduced frames have the full size.
  private let reduced: FrameCopy?
  private let matte: Matte
  private var mask: Raster<UInt8>?

  /// Returns the format of upright frames for `format`, or nil if that is upright already.
  package static func format(for format: FrameFormat) -> FrameFormat? {
    guard format.orientation != .upright else { return nil }
    var format = format
    format.width = (format.width + block - 1) / block * block
    format.height = (format.height + block - 1) / block * block
    return format.upright
  }

  /// Allocates memory for frames of `source`, or returns nil if they are upright already.
  ///
  /// Reduced frames and mattes have one sample per `1 << shift` pixels in each direction.
  package init?(of source: FrameFormat, shift: Int, bands: Bands) {
    guard let format = Self.format(for: source) else { return nil }
    (self.format, self.shift, self.bands) = (format, shift, bands)
    orientation = source.orientation
    padded = orientation.inverse.turned(width: format.width, height: format.height)
    whole = FrameCopy(format: format)
    reduced = shift == 0 ? nil : FrameCopy(format: format, shift: shift)
    matte = Matte(grid: MatteGrid(format: source, shift: shift))
  }

  /// Returns an upright copy of a frame that is valid until the next call.
  package func turn(_ frame: Frame) -> Frame {
    source = frame
    job.perform(self, bands)
    source = nil
    return whole.frame
  }

  package func perform(band: Int) {
    guard let source else { return }
    orientation.turn(
      source.luma, into: whole.luma.plane, within: padded,
      rows: bands.rows(of: whole.luma.height, in: band))
    orientation.turnPairs(
      source.chroma, into: whole.chroma.plane, within: size(ofSamples: 2),
      rows: bands.rows(of: whole.chroma.height, in: band))
  }

  /// Returns an upright copy of a reduced frame that is valid until the next call.
  package func turn(reduced frame: Frame) -> Frame {
    guard let reduced else { return turn(frame) }
    let step = 1 << shift
    orientation.turn(frame.luma, into: reduced.luma.plane, within: size(ofSamples: step))
    orientation.turnPairs(
      frame.chroma, into: reduced.chroma.plane, within: size(ofSamples: 2 * step))
    return reduced.frame
  }

  /// Returns the matte for the stored frame, valid until the next call.
  package func turnBack(_ upright: Matte) -> Matte {
    orientation.inverse.turn(upright.samples.plane, into: matte.samples.plane)
    return matte
  }

  /// Returns an upright copy of a mask that is valid until the next call.
  ///
  /// Throws `SegmentationError` if the memory for it cannot be allocated.
  package func turn(_ mask: PersonMask) throws(SegmentationError) -> PersonMask {
    let (width, height) = orientation.turned(width: mask.samples.width, height: mask.samples.height)
    if self.mask?.width != width || self.mask?.height != height {
      self.mask = nil
      self.mask = try? Raster(allocating: width, height: height, filledWith: 0)
    }
    let region = mask.region
    let x = orientation.reversesColumns ? padded.width - region.endX : region.x
    let y = orientation.reversesRows ? padded.height - region.endY : region.y
    let (left, top) = orientation.turned(width: x, height: y)
    let (columns, rows) = orientation.turned(width: region.width, height: region.height)
    guard let samples = self.mask?.plane,
      let turned = PersonMask(
        samples: samples, alphas: mask.alphas,
        region: PixelRegion(x: left, y: top, width: columns, height: rows), in: format)
    else { throw SegmentationError(.inferenceFailed, "There is no memory to turn a mask upright.") }
    orientation.turn(mask.samples, into: samples)
    return turned
  }

  /// Returns the size of the frames before turning, in samples that are `step` pixels apart.
  private func size(ofSamples step: Int) -> (width: Int, height: Int) {
    ((padded.width + step - 1) / step, (padded.height + step - 1) / step)
  }
}
