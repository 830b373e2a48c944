/// Makes small pictures of frames: each pixel is the mean of a block.
struct PictureShrinker {
  private let request: PictureRequest
  /// Sums of the bytes of the rows of a block.
  private var sums: [UInt16] = []
  /// The means of a row of blocks: luma, then Cb and Cr in turns; or red, green, blue and alpha.
  private var means: [UInt8] = []

  /// Rows of a block that are looked at: enough for a mean however large the block is, and their
  /// sum fits into 16 bits.
  private static let mostRows = 4

  init(_ request: PictureRequest) {
    self.request = request
  }

  /// The least factor that brings a width down to a maximum: 1, or an even number, so that blocks
  /// begin where chroma samples do.
  static func scale(width: Int, maximum: Int) -> Int {
    let maximum = max(maximum, 1)
    if width <= maximum { return 1 }
    let factor = (width + maximum - 1) / maximum
    return factor + factor % 2
  }

  /// Makes a picture of a frame, in memory that is used again if it suffices.
  mutating func shrink(
    _ frame: inout VideoFrame, into bytes: consuming [UInt8]
  ) -> AnalysisPicture {
    let scale = Self.scale(width: frame.width, maximum: request.maximumWidth)
    let width = (frame.width + scale - 1) / scale
    let height = (frame.height + scale - 1) / scale
    let size = width * height * request.format.bytesPerPixel
    if bytes.count != size { bytes = Array(repeating: 0, count: size) }
    if means.count != 4 * width { means = Array(repeating: 0, count: 4 * width) }
    let conversion = ColorConversion(frame.colorimetry)
    // A chroma sample stands for two columns and rows; unscaled, two pixels share it.
    let (half, share) = scale == 1 ? (1, 2) : (scale / 2, 1)
    for y in 0..<height {
      let start = y * width
      switch (frame.format, request.format) {
      case (.rgba, let format):
        average(&frame.pixels, row: y, block: scale, channels: 4, into: 0, step: 4)
        for x in 0..<width {
          let (red, green, blue) = (means[4 &* x], means[4 &* x &+ 1], means[4 &* x &+ 2])
          switch format {
          case .rgb: Self.put((red, green, blue), at: start &+ x, in: &bytes)
          case .luma: bytes[start &+ x] = conversion.luma(red, green, blue)
          }
        }
      case (_, .luma):
        average(&frame.luma, row: y, block: scale, channels: 1, into: 0, step: 1)
        for x in 0..<width { bytes[start &+ x] = means[x] }
      case (_, .rgb):
        average(&frame.luma, row: y, block: scale, channels: 1, into: 0, step: 1)
        let row = y / share
        average(
          &frame.chroma.interleaved, row: row, block: half, channels: 2, into: width, step: 2)
        average(&frame.chroma.cb, row: row, block: half, channels: 1, into: width, step: 2)
        average(&frame.chroma.cr, row: row, block: half, channels: 1, into: width + 1, step: 2)
        for x in 0..<width {
          let pair = width &+ 2 &* (x / share)
          Self.put(
            conversion.colors(means[x], means[pair], means[pair &+ 1]), at: start &+ x,
            in: &bytes)
        }
      }
    }
    return AnalysisPicture(
      format: request.format, width: width, height: height, scale: scale, stream: frame.stream,
      timestamp: frame.timestamp, bytes: bytes)
  }

  private static func put(
    _ color: (red: UInt8, green: UInt8, blue: UInt8), at pixel: Int, in bytes: inout [UInt8]
  ) {
    (bytes[3 &* pixel], bytes[3 &* pixel &+ 1], bytes[3 &* pixel &+ 2]) = color
  }

  /// Writes the means of a row of blocks into `means`, from `start` on, `step` bytes a block.
  ///
  /// Does nothing for an empty plane. Blocks at the right and lower edge may be smaller.
  private mutating func average(
    _ plane: inout FramePlane, row: Int, block: Int, channels: Int, into start: Int, step: Int
  ) {
    guard plane.height > 0 else { return }
    let top = min(row * block, plane.height - 1)
    let available = min(block, plane.height - top)
    let rows = min(available, Self.mostRows)
    if sums.count < plane.width { sums = Array(repeating: 0, count: plane.width) }
    for index in 0..<rows {
      let samples = plane.samples(ofRow: top + index * available / rows)
      var sums = sums.mutableSpan
      // All indices below lie in both, and need no check each.
      precondition(sums.count >= samples.count)
      if index == 0 {
        for x in samples.indices { unsafe sums[unchecked: x] = UInt16(samples[unchecked: x]) }
      } else {
        for x in samples.indices {
          unsafe sums[unchecked: x] = sums[unchecked: x] &+ UInt16(samples[unchecked: x])
        }
      }
    }
    Self.average(
      sums, of: rows, columns: plane.width / channels, block: block, channels: channels,
      into: &means, from: start, step: step)
  }

  /// Divides sums of rows, added up over the columns of each block, by the samples of the block.
  private static func average(
    _ rowSums: [UInt16], of rows: Int, columns: Int, block: Int, channels: Int,
    into means: inout [UInt8], from start: Int, step: Int
  ) {
    let sums = rowSums.span
    precondition(columns * channels <= sums.count)
    for x in 0..<(columns + block - 1) / block {
      let (first, end) = (x &* block, min(x &* block &+ block, columns))
      let count = UInt32(truncatingIfNeeded: (end &- first) &* rows)
      for channel in 0..<channels {
        var sum: UInt32 = count / 2
        for column in first..<end {
          sum &+= unsafe UInt32(sums[unchecked: column &* channels &+ channel])
        }
        means[start &+ x &* step &+ channel] = UInt8(truncatingIfNeeded: sum / count)
      }
    }
  }
}
