/// Makes small pictures of frames: each pixel is the mean of a block.
///
/// Analyzers are given such pictures. A filter that looks at its frames may make them too.
public struct PictureShrinker {
  private let request: PictureRequest
  /// Sums of the bytes of the rows of a block.
  private var sums: [UInt16] = []
  /// The means of a row of blocks: luma, then Cb and Cr in turns; or red, green, blue and alpha.
  private var means: [UInt8] = []

  /// Rows of a block that are looked at: enough for a mean however large the block is, and their
  /// sum fits into 16 bits.
  private static let mostRows = 4

  /// Makes pictures as they are asked for.
  public init(_ request: PictureRequest) {
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

  /// Makes a picture of a frame, in memory that is used again if it suffices: the bytes of an earlier
  /// picture that nobody else keeps.
  public mutating func shrink(
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
    // With the usual numbers known when it is compiled, the loops over a block are unrolled.
    func run(_ block: Int, _ channels: Int) {
      write(
        rowSums.span, rows, columns, block, channels, into: &means, from: start, step: step)
    }
    switch (block, channels) {
    case (1, 1): run(1, 1)
    case (2, 1): run(2, 1)
    case (4, 1): run(4, 1)
    case (1, 2): run(1, 2)
    case (2, 2): run(2, 2)
    case (2, 4): run(2, 4)
    case (4, 4): run(4, 4)
    default: run(block, channels)
    }
  }

  @inline(__always)
  private static func write(
    _ sums: Span<UInt16>, _ rows: Int, _ columns: Int, _ block: Int, _ channels: Int,
    into means: inout [UInt8], from start: Int, step: Int
  ) {
    let blocks = (columns + block - 1) / block
    var means = means.mutableSpan
    // All indices below lie in both, and need no check each.
    precondition(columns * channels <= sums.count)
    precondition(blocks == 0 || start + (blocks - 1) * step + channels <= means.count)
    // Sums have at most 23 bits and counts 15: the product is below 64 bits, and right to the unit.
    func inverse(_ count: Int) -> UInt64 { (1 << 40) / UInt64(count) + 1 }
    let count = block * rows
    let (half, share) = (UInt64(count / 2), inverse(count))
    for x in 0..<columns / block {
      for channel in 0..<channels {
        var sum = half
        for column in x &* block..<x &* block &+ block {
          sum &+= unsafe UInt64(sums[unchecked: column &* channels &+ channel])
        }
        unsafe means[unchecked: start &+ x &* step &+ channel] = UInt8(
          truncatingIfNeeded: (sum &* share) &>> 40)
      }
    }
    // The last one may be smaller.
    let rest = columns % block
    guard rest > 0 else { return }
    for channel in 0..<channels {
      var sum = UInt64(rest * rows / 2)
      for column in columns - rest..<columns { sum += UInt64(sums[column * channels + channel]) }
      means[start + (blocks - 1) * step + channel] = UInt8(
        truncatingIfNeeded: (sum * inverse(rest * rows)) >> 40)
    }
  }
}
