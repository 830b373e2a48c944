import PixelTypes

/// An NV12 picture in its own memory, with padding after the rows that must not be written.
@safe package final class TestPicture {
  package static let paddingMark: UInt8 = 0xA5

  package let format: FrameFormat
  /// The planes, valid for the lifetime of the picture.
  package let frame: Frame
  private let memory: ExactMemory<UInt8>

  /// Makes a picture with `padding` bytes after each row, of one colour if it is given.
  package init(format: FrameFormat, padding: Int = 0, _ color: RGB? = nil) {
    self.format = format
    let (lumaStride, chromaStride) = (format.width + padding, 2 * format.chromaWidth + padding)
    let lumaSize = lumaStride * format.height
    memory = ExactMemory(
      lumaSize + chromaStride * format.chromaHeight, filledWith: Self.paddingMark)
    frame = unsafe Frame(
      luma: Plane(
        base: memory.base, width: format.width, height: format.height, stride: lumaStride),
      chroma: Plane(
        base: memory.base + lumaSize, width: 2 * format.chromaWidth, height: format.chromaHeight,
        stride: chromaStride))
    if let color { paint(color) }
  }

  package func copy() -> TestPicture {
    let other = TestPicture(format: format, padding: frame.luma.stride - format.width)
    unsafe other.memory.base.update(from: memory.base, count: memory.count)
    return other
  }

  /// Paints the pixels that `contains` accepts.
  ///
  /// A chroma sample belongs to its upper left pixel.
  package func paint(
    red: UInt8, green: UInt8, blue: UInt8,
    where contains: (_ x: Int, _ y: Int) -> Bool = { _, _ in true }
  ) {
    let code = format.colorimetry.codeValues(red: red, green: green, blue: blue)
    for y in 0..<format.height {
      let (luma, chroma) = unsafe (frame.luma.row(y), frame.chroma.row(y / 2))
      for x in 0..<format.width where contains(x, y) {
        unsafe luma[x] = code.luma
        if x % 2 == 0, y % 2 == 0 {
          unsafe chroma[x] = code.cb
          unsafe chroma[x + 1] = code.cr
        }
      }
    }
  }

  package func paint(_ color: RGB, where contains: (_ x: Int, _ y: Int) -> Bool = { _, _ in true })
  {
    paint(red: color.red, green: color.green, blue: color.blue, where: contains)
  }

  package func paint(_ color: RGB, in region: PixelRegion) {
    paint(color) { region.x..<region.endX ~= $0 && region.y..<region.endY ~= $1 }
  }

  /// Sets each sample of luma and chroma to the result for its place and its old value.
  package func changeSamples(_ sample: (_ x: Int, _ y: Int, _ old: UInt8) -> UInt8) {
    for plane in [frame.luma, frame.chroma] { plane.change(sample) }
  }

  package func luma(_ x: Int, _ y: Int) -> Int {
    unsafe Int(frame.luma.row(y)[x])
  }

  package func chroma(_ x: Int, _ y: Int) -> (cb: Int, cr: Int) {
    let row = unsafe frame.chroma.row(y / 2)
    return unsafe (Int(row[x / 2 * 2]), Int(row[x / 2 * 2 + 1]))
  }

  /// Whether no byte of the padding was written.
  package var paddingIsIntact: Bool {
    frame.luma.paddingIsIntact && frame.chroma.paddingIsIntact
  }

  /// Returns the maximum difference of the bytes of two pictures of the same format.
  package func maxDifference(from other: TestPicture) -> Int {
    max(maxLumaDifference(from: other), frame.chroma.maxDifference(from: other.frame.chroma))
  }

  package func maxLumaDifference(from other: TestPicture) -> Int {
    frame.luma.maxDifference(from: other.frame.luma)
  }
}
