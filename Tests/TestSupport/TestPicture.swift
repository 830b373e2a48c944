import PixelTypes

/// An NV12 picture in its own memory, with padding after the rows that must not be written.
@safe public final class TestPicture {
  /// The byte that padding is filled with.
  public static let paddingMark: UInt8 = 0xA5

  /// Size and colours of the picture.
  public let format: FrameFormat
  /// The planes, valid for the lifetime of the picture.
  public let frame: Frame
  private let memory: UnsafeMutablePointer<UInt8>
  private let byteCount: Int

  /// Makes a picture with `padding` bytes after each row.
  public init(format: FrameFormat, padding: Int = 0) {
    self.format = format
    let lumaStride = format.width + padding
    let chromaStride = 2 * format.chromaWidth + padding
    byteCount = lumaStride * format.height + chromaStride * format.chromaHeight
    unsafe memory = .allocate(capacity: byteCount)
    unsafe memory.initialize(repeating: Self.paddingMark, count: byteCount)
    frame = unsafe Frame(
      luma: Plane(base: memory, width: format.width, height: format.height, stride: lumaStride),
      chroma: Plane(
        base: memory + lumaStride * format.height, width: 2 * format.chromaWidth,
        height: format.chromaHeight, stride: chromaStride))
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// Returns a copy.
  public func copy() -> TestPicture {
    let other = TestPicture(format: format, padding: frame.luma.stride - format.width)
    unsafe other.memory.update(from: memory, count: byteCount)
    return other
  }

  /// Paints the pixels that `contains` accepts.
  ///
  /// A chroma sample belongs to its upper left pixel.
  public func paint(
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

  /// The luma of a pixel.
  public func luma(_ x: Int, _ y: Int) -> Int {
    unsafe Int(frame.luma.row(y)[x])
  }

  /// The chroma of a pixel.
  public func chroma(_ x: Int, _ y: Int) -> (cb: Int, cr: Int) {
    let row = unsafe frame.chroma.row(y / 2)
    return unsafe (Int(row[x / 2 * 2]), Int(row[x / 2 * 2 + 1]))
  }

  /// Whether no byte of the padding was written.
  public var paddingIsIntact: Bool {
    [frame.luma, frame.chroma].allSatisfy { plane in
      (0..<plane.height).allSatisfy { y in
        (plane.width..<plane.stride).allSatisfy { x in
          unsafe plane.row(y)[x] == Self.paddingMark
        }
      }
    }
  }

  /// Returns the maximum difference of the bytes of two pictures of the same format.
  public func maxDifference(from other: TestPicture) -> Int {
    var greatest = 0
    for (a, b) in [(frame.luma, other.frame.luma), (frame.chroma, other.frame.chroma)] {
      for y in 0..<a.height {
        for x in 0..<a.width {
          greatest = max(greatest, unsafe abs(Int(a.row(y)[x]) - Int(b.row(y)[x])))
        }
      }
    }
    return greatest
  }
}
