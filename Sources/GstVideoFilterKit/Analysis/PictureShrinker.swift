import PixelTypes

/// Creates small pictures of frames: each pixel is the mean of a block of the frame.
///
/// The kit uses it for the pictures of analyzers. A filter may also use it, to analyze its frames.
/// Not thread-safe.
public struct PictureShrinker {
  private let request: PictureRequest
  private var means = BlockMeans()

  /// Creates a shrinker for pictures of the size and format of a request.
  ///
  /// The rate of the request is ignored.
  public init(_ request: PictureRequest) { self.request = request }

  /// Returns the smallest factor that reduces `width` to at most `maximum`.
  ///
  /// The factor is 1 or even, so that blocks are aligned with chroma samples.
  static func scale(width: Int, maximum: Int) -> Int {
    let maximum = max(maximum, 1)
    if width <= maximum { return 1 }
    let factor = (width + maximum - 1) / maximum
    return factor + factor % 2
  }

  /// Returns a small picture of a frame.
  ///
  /// This takes about 0.2 ms for a picture with 240 columns of a 1080p frame.
  ///
  /// - Parameters:
  ///   - frame: the frame, which is not changed.
  ///   - bytes: memory for the picture, for example the bytes of an earlier one. It is reused if it
  ///     has enough capacity and no other reference. It may be an empty array.
  /// - Returns: the picture, which owns the memory.
  public mutating func shrink(
    _ frame: inout VideoFrame, into bytes: consuming [UInt8]
  ) -> AnalysisPicture {
    var picture = reduce(&frame, into: bytes)
    picture.decode()
    return picture
  }

  /// Does the part of `shrink` that reads the frame, which is less than half of the work.
  ///
  /// The picture must be decoded, which another thread can do.
  mutating func reduce(
    _ frame: inout VideoFrame, into bytes: consuming [UInt8]
  ) -> AnalysisPicture {
    let scale = Self.scale(width: frame.width, maximum: request.maximumWidth)
    let width = (frame.width + scale - 1) / scale
    let height = (frame.height + scale - 1) / scale
    let isRGBA = frame.format == .rgba
    // A pixel has three components, unless only the frame's luma is needed.
    let step = isRGBA ? 3 : request.format.bytesPerPixel
    let size = width * height * step
    // `decode` may have shortened the array. Its capacity is still large enough.
    if bytes.count > size { bytes.removeLast(bytes.count - size) }
    bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    // A chroma sample covers two columns and two rows. With scale 1, two pixels of a row share it.
    let (block, share) = scale == 1 ? (1, 2) : (scale / 2, 1)
    for y in 0..<height {
      let start = y * width * step
      var output = bytes.mutableSpan
      // Planes that the format does not have are empty, so they write nothing.
      means.write(
        frame.pixels, row: y, block: scale, channels: 4, into: &output, from: start, step: step)
      means.write(
        frame.luma, row: y, block: scale, channels: 1, into: &output, from: start, step: step)
      if isRGBA || step == 1 { continue }
      means.write(
        frame.chroma.interleaved, row: y / share, block: block, channels: 2, into: &output,
        from: start + 1, step: 3 * share)
      means.write(
        frame.chroma.cb, row: y / share, block: block, channels: 1, into: &output,
        from: start + 1, step: 3 * share)
      means.write(
        frame.chroma.cr, row: y / share, block: block, channels: 1, into: &output,
        from: start + 2, step: 3 * share)
      for x in stride(from: share - 1, to: share == 2 ? width : 0, by: 2) {
        output[start + 3 * x + 1] = output[start + 3 * x - 2]
        output[start + 3 * x + 2] = output[start + 3 * x - 1]
      }
    }
    return AnalysisPicture(
      format: request.format, width: width, height: height, scale: scale, stream: frame.stream,
      timestamp: frame.timestamp, bytes: bytes)
  }
}

extension AnalysisPicture {
  /// Converts the samples that `reduce` returned to the format of the picture.
  mutating func decode() {
    switch (stream.format, format) {
    case (.rgba, .rgb), (.nv12, .luma), (.i420, .luma): break
    case (.rgba, .luma):
      let luma = ColorFactors.codes(stream.colorimetry, of: 255)[0]
      for pixel in 0..<width * height {
        let sum =
          luma.first * Float(bytes[3 * pixel]) + luma.second * Float(bytes[3 * pixel + 1])
          + luma.third * Float(bytes[3 * pixel + 2])
        bytes[pixel] = UInt8(sum + luma.offset + 0.5)
      }
      bytes.removeLast(bytes.count - width * height)
    case (_, .rgb):
      let factors = FixedRGBCoefficients(stream.colorimetry)
      func byte(_ value: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: max(0, min(255, value &>> 16)))
      }
      var pixels = bytes.mutableSpan
      var at = 0
      while at &+ 3 <= pixels.count {
        // The loop condition keeps all three indices within the array.
        let grey = unsafe factors.luma &* Int32(pixels[unchecked: at])
        let cb = unsafe Int32(pixels[unchecked: at &+ 1])
        let cr = unsafe Int32(pixels[unchecked: at &+ 2])
        let (fromCb, fromCr) = (factors.greenFromCb &* cb, factors.greenFromCr &* cr)
        unsafe pixels[unchecked: at] = byte(
          grey &+ factors.redFromCr &* cr &+ factors.redOffset)
        unsafe pixels[unchecked: at &+ 1] = byte(grey &+ fromCb &+ fromCr &+ factors.greenOffset)
        unsafe pixels[unchecked: at &+ 2] = byte(
          grey &+ factors.blueFromCb &* cb &+ factors.blueOffset)
        at &+= 3
      }
    }
  }
}
