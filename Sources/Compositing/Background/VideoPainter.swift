import Matting
import PixelTypes
import Processor

/// Scales the pictures of a video to frames of one format.
///
/// Works directly on 8-bit luma and chroma, without a conversion to RGB:
/// - Pictures at least twice as large as their region of the frame are first averaged over blocks.
/// - Bilinear scaling follows. It does not change the values of a uniform colour.
///
/// Allocates memory only when the size, pixel aspect ratio or colorimetry changes. Not thread-safe.
public final class VideoPainter {
  private let format: FrameFormat
  private let fit: BackgroundFit
  private let backgroundColor: UInt32
  private var scaler: Scaler?

  /// Creates a painter for frames of `format`.
  ///
  /// `backgroundColor` fills the area that `fit` leaves empty.
  public init(format: FrameFormat, fit: BackgroundFit, backgroundColor: UInt32) {
    self.format = format
    self.fit = fit
    self.backgroundColor = backgroundColor
  }

  /// Fills a frame with a picture.
  ///
  /// Throws if there is not enough memory to scale the picture.
  public func paint(_ picture: VideoPicture, into frame: Frame) throws(OutOfMemory) {
    let shape = Shape(
      width: picture.luma.width, height: picture.luma.height, pixelAspect: picture.pixelAspect,
      colorimetry: picture.colorimetry)
    let scaler = try scaler(for: shape)
    if fit == .contain { frame.fill(with: backgroundColor, in: format.colorimetry) }
    scaler.stage(picture)
    scaler.scale(into: frame)
  }

  private func scaler(for shape: Shape) throws(OutOfMemory) -> Scaler {
    if let scaler, scaler.shape == shape { return scaler }
    // Free the old scaler before the new one is allocated.
    scaler = nil
    let made = try Scaler(shape, fit: fit, format: format)
    scaler = made
    return made
  }

  /// The properties of a picture that a scaler depends on.
  fileprivate struct Shape: Equatable {
    var width: Int
    var height: Int
    var pixelAspect: Double
    var colorimetry: Colorimetry
  }
}

/// Scales pictures of one shape.
private final class Scaler {
  let shape: VideoPainter.Shape
  private let target: PixelRegion
  private let change: ColorimetryChange?
  /// The picture after averaging over blocks, in the frame's colorimetry.
  private let luma: Raster<UInt8>
  private let chroma: Raster<UInt8>
  private let lumaReducer: BoxReducer
  private let chromaReducer: BoxReducer
  /// The chroma of a picture with planar chroma, interleaved.
  private let pairs: Raster<UInt8>
  private let lumaRows: ScaledRows
  private let chromaRows: ScaledRows

  init(_ shape: VideoPainter.Shape, fit: BackgroundFit, format: FrameFormat) throws(OutOfMemory) {
    self.shape = shape
    change =
      shape.colorimetry == format.colorimetry
      ? nil : ColorimetryChange(from: shape.colorimetry, to: format.colorimetry)
    let part: PixelRegion
    (part, target) = fit.regions(
      imageWidth: shape.width, imageHeight: shape.height,
      pixelAspect: shape.pixelAspect / format.pixelAspect, frameWidth: format.width,
      frameHeight: format.height)
    let scaleX = Double(part.width) / Double(target.width)
    let scaleY = Double(part.height) / Double(target.height)
    var shift = 0
    while shift < BoxReducer.maxShift, Double(2 << shift) <= min(scaleX, scaleY) { shift += 1 }
    func reduced(_ size: Int) -> Int { BoxReducer.reduced(size, shift: shift) }
    let (chromaWidth, chromaHeight) = ((shape.width + 1) / 2, (shape.height + 1) / 2)
    luma = try Raster(
      allocating: reduced(shape.width), height: reduced(shape.height), filledWith: 0)
    chroma = try Raster(
      allocating: 2 * reduced(chromaWidth), height: reduced(chromaHeight), filledWith: 128)
    lumaReducer = BoxReducer(width: shape.width, shift: shift)
    chromaReducer = BoxReducer(width: 2 * chromaWidth, shift: shift)
    pairs = try Raster(allocating: 2 * chromaWidth, height: chromaHeight, filledWith: 128)
    // `ScaleAxis` counts in samples of the averaged picture.
    let unit = Double(1 << shift)
    func axis(_ count: Int, _ sourceCount: Int, _ origin: Double, _ scale: Double) -> ScaleAxis {
      let axis = ScaleAxis(count: count, sourceCount: sourceCount, scale: scale / unit)
      axis.updateTaps(origin: origin / unit, scale: scale / unit, sourceCount: sourceCount)
      return axis
    }
    let (x, y) = (Double(part.x), Double(part.y))
    // An exact scale of 1 or 2 has a faster kernel, which needs no position per sample.
    func horizontal(_ count: Int, _ sourceCount: Int, isPair: Bool) -> ScaledRows.Horizontal {
      for enlargement in 0...1 where x == 0 && sourceCount << enlargement == count {
        if scaleX / unit * Double(1 << enlargement) == 1 {
          return .enlarged(shift: enlargement, count: count, ofPairs: isPair)
        }
      }
      let axis = axis(count, sourceCount, isPair ? x / 2 : x, scaleX)
      return isPair ? .pairAxis(axis) : .axis(axis)
    }
    lumaRows = ScaledRows(
      horizontal(target.width, luma.width, isPair: false),
      vertical: axis(target.height, luma.height, y, scaleY))
    chromaRows = ScaledRows(
      horizontal((target.width + 1) / 2, chroma.width / 2, isPair: true),
      vertical: axis((target.height + 1) / 2, chroma.height, y / 2, scaleY))
  }

  /// Copies a picture, averages it over blocks, and converts it to the frame's colorimetry.
  func stage(_ picture: VideoPicture) {
    lumaReducer.reduce(picture.luma, into: luma)
    switch picture.chroma {
    case .interleaved(let plane):
      chromaReducer.reducePairs(plane, into: chroma)
    case .planar(let cb, let cr):
      for y in 0..<pairs.height {
        unsafe kernels.interleaveRows(cb.row(y), cr.row(y), pairs.row(y), pairs.width / 2)
      }
      chromaReducer.reducePairs(pairs.plane, into: chroma)
    }
    change?.apply(luma: luma, chroma: chroma)
  }

  /// Scales the copied picture into its region of a frame.
  func scale(into frame: Frame) {
    scale(lumaRows, luma, into: frame.luma, x: target.x, y: target.y, target.width, target.height)
    scale(
      chromaRows, chroma, into: frame.chroma, x: target.x, y: target.y / 2,
      (target.width + 1) / 2 * 2, (target.height + 1) / 2)
  }

  private func scale(
    _ rows: ScaledRows, _ source: Raster<UInt8>, into plane: Plane, x: Int, y: Int, _ width: Int,
    _ height: Int
  ) {
    rows.begin()
    for row in 0..<height {
      let between = rows.between(row, of: source.plane)
      let out = unsafe plane.row(y + row) + x
      if between.weight == 0 {
        unsafe out.update(from: between.top, count: width)
      } else {
        unsafe kernels.mixRows(between.top, between.bottom, between.weight, out, width)
      }
    }
  }
}
