/// Creates small pictures of frames: each pixel is the mean of a block of the frame.
///
/// The kit uses it for the pictures of analyzers. A filter may also use it, to analyze its frames.
/// Not thread-safe.
public struct PictureShrinker {
  private let request: PictureRequest
  private var means = BlockMeans()
  /// Memory for a row of red, green and blue.
  private var colors: [UInt8] = []

  /// Creates a shrinker for pictures of the size and format of a request.
  ///
  /// The rate of the request is ignored.
  public init(_ request: PictureRequest) {
    self.request = request
  }

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
  ///     has the right size and no other reference. It may be an empty array.
  /// - Returns: the picture, which owns the memory.
  public mutating func shrink(
    _ frame: inout VideoFrame, into bytes: consuming [UInt8]
  ) -> AnalysisPicture {
    reduce(&frame, into: bytes).decoded()
  }

  /// Does the part of `shrink` that reads the frame, which is less than half of the work.
  mutating func reduce(
    _ frame: inout VideoFrame, into bytes: consuming [UInt8]
  ) -> CodedPicture {
    let scale = Self.scale(width: frame.width, maximum: request.maximumWidth)
    let width = (frame.width + scale - 1) / scale
    let height = (frame.height + scale - 1) / scale
    let format = request.format
    let step = format.bytesPerPixel
    let size = width * height * step
    if bytes.count != size { bytes = Array(repeating: 0, count: size) }
    for y in 0..<height {
      let start = y * width * step
      var output = bytes.mutableSpan
      switch (frame.format, format) {
      case (.rgba, .rgb):
        means.write(
          frame.pixels, row: y, block: scale, channels: 4, kept: 3, into: &output, from: start,
          step: step)
      case (.rgba, .luma):
        luma(ofRow: y, of: frame, block: scale, into: &output, from: start)
      case (_, .luma):
        means.write(
          frame.luma, row: y, block: scale, channels: 1, kept: 1, into: &output, from: start,
          step: step)
      case (_, .rgb):
        means.write(
          frame.luma, row: y, block: scale, channels: 1, kept: 1, into: &output, from: start,
          step: step)
        chroma(ofRow: y, of: frame, scale: scale, into: &output, from: start, width: width)
      }
    }
    return CodedPicture(
      AnalysisPicture(
        format: format, width: width, height: height, scale: scale, stream: frame.stream,
        timestamp: frame.timestamp, bytes: bytes),
      isCoded: frame.format != .rgba && format == .rgb)
  }

  /// Writes the luma of a row of blocks of an RGBA frame.
  private mutating func luma(
    ofRow y: Int, of frame: borrowing VideoFrame, block: Int, into output: inout MutableSpan<UInt8>,
    from start: Int
  ) {
    let width = (frame.width + block - 1) / block
    // `means` cannot be used while a span borrows another part of `self`.
    var colors: [UInt8] = []
    swap(&colors, &self.colors)
    defer { swap(&colors, &self.colors) }
    if colors.count != 3 * width { colors = Array(repeating: 0, count: 3 * width) }
    var row = colors.mutableSpan
    means.write(
      frame.pixels, row: y, block: block, channels: 4, kept: 3, into: &row, from: 0, step: 3)
    let conversion = ColorConversion(frame.colorimetry)
    for x in 0..<width {
      output[start + x] = conversion.luma(row[3 * x], row[3 * x + 1], row[3 * x + 2])
    }
  }

  /// Writes Cb and Cr of a row of blocks, after the luma of each block.
  private mutating func chroma(
    ofRow y: Int, of frame: borrowing VideoFrame, scale: Int,
    into output: inout MutableSpan<UInt8>, from start: Int, width: Int
  ) {
    // A chroma sample covers two columns and two rows. With scale 1, two pixels of a row share it.
    let (block, share) = scale == 1 ? (1, 2) : (scale / 2, 1)
    let (row, step) = (y / share, 3 * share)
    means.write(
      frame.chroma.interleaved, row: row, block: block, channels: 2, kept: 2, into: &output,
      from: start + 1, step: step)
    means.write(
      frame.chroma.cb, row: row, block: block, channels: 1, kept: 1, into: &output,
      from: start + 1, step: step)
    means.write(
      frame.chroma.cr, row: row, block: block, channels: 1, kept: 1, into: &output,
      from: start + 2, step: step)
    guard share == 2 else { return }
    for x in stride(from: 1, to: width, by: 2) {
      output[start + 3 * x + 1] = output[start + 3 * x - 2]
      output[start + 3 * x + 2] = output[start + 3 * x - 1]
    }
  }
}

/// A small picture that may contain luma, Cb and Cr instead of red, green and blue.
///
/// `decoded()` converts them. So this conversion, which is more than half of the work, can run on
/// another thread.
struct CodedPicture: Sendable {
  private var picture: AnalysisPicture
  private let isCoded: Bool

  init(_ picture: consuming AnalysisPicture, isCoded: Bool) {
    self.picture = picture
    self.isCoded = isCoded
  }

  /// Returns the picture in the requested format.
  consuming func decoded() -> AnalysisPicture {
    guard isCoded else { return picture }
    let conversion = ColorConversion(picture.stream.colorimetry)
    var pixels = picture.bytes.mutableSpan
    var at = 0
    while at &+ 3 <= pixels.count {
      // The loop condition keeps all three indices within the array.
      unsafe (pixels[unchecked: at], pixels[unchecked: at &+ 1], pixels[unchecked: at &+ 2]) =
        conversion.colors(
          pixels[unchecked: at], pixels[unchecked: at &+ 1], pixels[unchecked: at &+ 2])
      at &+= 3
    }
    return picture
  }
}
