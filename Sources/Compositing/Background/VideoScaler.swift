import Matting
import PixelTypes
import Processor

/// Scales the pictures of a video to a region of frames with one colorimetry.
///
/// Works directly on 8-bit luma and chroma, without a conversion to RGB:
/// - Pictures at least twice as large as their region of the frame are first averaged over blocks.
/// - Bilinear scaling follows. It does not change the values of a uniform colour.
///
/// Allocates memory only in `init`. Not thread-safe.
final class VideoScaler {
  /// The format of the pictures.
  let source: FrameFormat
  private let change: ColorimetryChange?
  private let luma: PlaneScaler, chroma: PlaneScaler

  /// Creates a scaler for a part of the pictures and a region of the frames.
  init(
    from source: FrameFormat, part: PixelRegion, to target: PixelRegion, colorimetry: Colorimetry
  ) throws(OutOfMemory) {
    self.source = source
    change =
      source.colorimetry == colorimetry
      ? nil : ColorimetryChange(from: source.colorimetry, to: colorimetry)
    luma = try PlaneScaler(source, part, target, isChroma: false)
    chroma = try PlaneScaler(source, part, target, isChroma: true)
  }

  /// Scales a picture into a frame.
  func scale(_ picture: Frame, into frame: Frame) {
    luma.stage(picture.luma)
    chroma.stage(picture.chroma)
    change?.apply(luma: luma.samples, chroma: chroma.samples)
    luma.scale(into: frame.luma)
    chroma.scale(into: frame.chroma)
  }
}

/// Scales the luma or the chroma of pictures.
private final class PlaneScaler {
  /// The plane after averaging over blocks.
  let samples: Raster<UInt8>
  private let isChroma: Bool
  private let reducer: BoxReducer
  private let rows: ScaledRows
  /// The region of the frame's plane, in bytes and rows.
  private let place: PixelRegion

  init(
    _ source: FrameFormat, _ part: PixelRegion, _ target: PixelRegion, isChroma: Bool
  ) throws(OutOfMemory) {
    self.isChroma = isChroma
    let scaleX = Double(part.width) / Double(target.width)
    let scaleY = Double(part.height) / Double(target.height)
    var shift = 0
    while shift < BoxReducer.maxShift, Double(2 << shift) <= min(scaleX, scaleY) { shift += 1 }
    // A sample of chroma has two bytes, and covers two by two pixels.
    let step = isChroma ? 2 : 1
    func count(_ pixels: Int) -> Int { (pixels + step - 1) / step }
    let width = BoxReducer.reduced(count(source.width), shift: shift)
    let height = BoxReducer.reduced(count(source.height), shift: shift)
    samples = try Raster(allocating: step * width, height: height, filledWith: 0)
    reducer = BoxReducer(width: step * count(source.width), shift: shift)
    let (columns, lines) = (count(target.width), count(target.height))
    place = PixelRegion(x: target.x, y: target.y / step, width: step * columns, height: lines)
    // `ScaleAxis` counts in samples of the averaged plane.
    let unit = Double(1 << shift)
    func axis(_ count: Int, _ sourceCount: Int, _ origin: Int, _ scale: Double) -> ScaleAxis {
      let axis = ScaleAxis(count: count, sourceCount: sourceCount, scale: scale / unit)
      axis.updateTaps(
        origin: Double(origin) / Double(step) / unit, scale: scale / unit, sourceCount: sourceCount)
      return axis
    }
    // An exact scale of 1 or 2 has a faster kernel, which needs no position per sample.
    let enlargement = (0...1).first {
      part.x == 0 && width << $0 == columns && scaleX / unit * Double(1 << $0) == 1
    }
    let horizontal: ScaledRows.Horizontal
    if let enlargement {
      horizontal = .enlarged(shift: enlargement, count: columns, ofPairs: isChroma)
    } else {
      let axis = axis(columns, width, part.x, scaleX)
      horizontal = isChroma ? .pairAxis(axis) : .axis(axis)
    }
    rows = ScaledRows(horizontal, vertical: axis(lines, height, part.y, scaleY))
  }

  /// Copies a plane of a picture, averaged over blocks.
  func stage(_ plane: Plane) {
    if isChroma {
      reducer.reduce(plane, ofPairs: true, into: samples)
    } else {
      reducer.reduce(plane, into: samples)
    }
  }

  /// Scales the copied plane into its region of a frame's plane.
  func scale(into plane: Plane) {
    rows.begin()
    for y in 0..<place.height {
      let between = rows.between(y, of: samples.plane)
      let out = unsafe plane.row(place.y + y) + place.x
      if between.weight == 0 {
        unsafe out.update(from: between.top, count: place.width)
      } else {
        unsafe kernels.mixRows(between, out, place.width)
      }
    }
  }
}
