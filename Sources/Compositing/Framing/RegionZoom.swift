import Matting
import PixelTypes
import Processor

/// Enlarges a region of frames and mattes to the size of the frame.
///
/// Interpolates bilinearly at positions that are fractions of a pixel. So a slow motion is smooth.
package final class RegionZoom: BandedWork {
  /// The logarithm of the factor by which reduced frames are smaller.
  package let shift: Int

  private let bands: Bands
  private let job = BandedJob()
  private let luma: ZoomedPlane, chroma: ZoomedPlane
  /// The reduced frame, or nil if reduced frames have the full size.
  private let reduced: (luma: ZoomedPlane, chroma: ZoomedPlane)?
  private let alpha: ZoomedPlane
  private let matte: Matte
  /// The planes to enlarge.
  private let all: [ZoomedPlane]
  private var region: ShownRegion?

  /// Allocates memory for frames of `format`, and for frames reduced by `1 << shift`.
  ///
  /// The mattes have one sample per sample of the reduced frames.
  package init(format: FrameFormat, shift: Int, bands: Bands) {
    (self.shift, self.bands) = (shift, bands)
    matte = Matte(grid: MatteGrid(format: format, shift: shift))
    func plane(
      _ shift: Int, isChroma: Bool = false, into samples: Raster<UInt8>? = nil
    ) -> ZoomedPlane {
      ZoomedPlane(format: format, shift: shift, isChroma: isChroma, into: samples, bands: bands)
    }
    (luma, chroma) = (plane(0), plane(0, isChroma: true))
    alpha = plane(shift, into: matte.samples)
    reduced = shift == 0 ? nil : (plane(shift), plane(shift, isChroma: true))
    all = [luma, chroma, alpha] + (reduced.map { [$0.luma, $0.chroma] } ?? [])
  }

  /// Returns a region of a frame, of the reduced frame and of the matte, enlarged to their sizes.
  ///
  /// The result points into this object, and is valid until the next call.
  package func zoom(
    _ frame: Frame, _ reducedFrame: Frame, _ matte: Matte, to region: ShownRegion
  ) -> (frame: Frame, reduced: Frame, matte: Matte) {
    (luma.source, chroma.source) = (frame.luma, frame.chroma)
    alpha.source = matte.samples.plane
    reduced?.luma.source = reducedFrame.luma
    reduced?.chroma.source = reducedFrame.chroma
    if self.region != region {
      self.region = region
      for index in all.indices { all[index].show(region) }
    }
    job.perform(self, bands)
    let whole = Frame(luma: luma.samples.plane, chroma: chroma.samples.plane)
    let small = reduced.map {
      Frame(luma: $0.luma.samples.plane, chroma: $0.chroma.samples.plane)
    }
    return (whole, small ?? whole, self.matte)
  }

  package func perform(band: Int) {
    // Use indices, because a loop over the elements allocates memory in a debug build.
    for index in all.indices { all[index].zoom(band: band, of: bands) }
  }
}

/// An enlarged region of a plane.
private final class ZoomedPlane {
  let samples: Raster<UInt8>
  /// The plane to enlarge.
  var source: Plane?

  private let horizontal: ScaleAxis, vertical: ScaleAxis
  /// The size of the frame in samples of the plane, which may be a fraction.
  private let extent: (width: Double, height: Double)
  /// The number of samples or pairs per row.
  private let columns: Int
  private let readers: [ScaledRows]

  init(
    format: FrameFormat, shift: Int, isChroma: Bool, into samples: Raster<UInt8>?, bands: Bands
  ) {
    let step = Double(1 << (isChroma ? shift + 1 : shift))
    extent = (Double(format.width) / step, Double(format.height) / step)
    columns = BoxReducer.reduced(isChroma ? format.chromaWidth : format.width, shift: shift)
    let rows = BoxReducer.reduced(isChroma ? format.chromaHeight : format.height, shift: shift)
    self.samples =
      samples ?? Raster(width: isChroma ? 2 * columns : columns, height: rows, filledWith: 0)
    let across = ScaleAxis(count: columns, sourceCount: columns, scale: 1)
    let down = ScaleAxis(count: rows, sourceCount: rows, scale: 1)
    (horizontal, vertical) = (across, down)
    readers = (0..<bands.count).map { _ in
      ScaledRows(isChroma ? .pairAxis(across) : .axis(across), vertical: down)
    }
  }

  /// Sets the region to enlarge.
  func show(_ region: ShownRegion) {
    horizontal.updateTaps(
      origin: region.x * extent.width, scale: region.size, sourceCount: columns)
    vertical.updateTaps(
      origin: region.y * extent.height, scale: region.size, sourceCount: samples.height)
    // The kernels read the sample after each position. There may be no memory after the last one.
    var index = columns - 1
    while index >= 0, columns > 1, unsafe Int(horizontal.positions.base[index]) == columns - 1 {
      unsafe horizontal.positions.base[index] = UInt16(columns - 2)
      unsafe horizontal.weights.base[index] = 255
      index -= 1
    }
  }

  func zoom(band: Int, of bands: Bands) {
    guard let source else { return }
    let reader = readers[band]
    reader.begin()
    for y in bands.rows(of: samples.height, in: band) {
      unsafe kernels.mixRows(reader.between(y, of: source), samples.row(y), samples.width)
    }
  }
}
