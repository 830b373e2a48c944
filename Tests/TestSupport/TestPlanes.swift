import PixelTypes

/// A picture of any pixel format in its own memory.
///
/// The padding after the rows must not be written.
@safe package final class TestPlanes {
  package let format: FrameFormat
  package let pixelFormat: PixelFormat
  /// The planes, valid for the lifetime of the picture.
  package let planes: PicturePlanes
  private let memory: ExactMemory<UInt8>

  /// Makes a picture with `padding` bytes after each row.
  package init(_ pixelFormat: PixelFormat, format: FrameFormat, padding: Int = 0) {
    self.format = format
    self.pixelFormat = pixelFormat
    let sizes = (0..<pixelFormat.planeCount).map {
      pixelFormat.planeSize($0, width: format.width, height: format.height)
    }
    /// Returns the offset of a plane, or the size of all planes.
    func start(_ number: Int) -> Int {
      sizes[..<number].reduce(0) { $0 + ($1.width + padding) * $1.height }
    }
    let memory = ExactMemory(start(sizes.count), filledWith: TestPicture.paddingMark)
    let planes = PicturePlanes(format: pixelFormat) { number in
      unsafe Plane(
        base: memory.base + start(number), width: sizes[number].width,
        height: sizes[number].height, stride: sizes[number].width + padding)
    }
    guard let planes else { preconditionFailure("every plane was given") }
    (self.planes, self.memory) = (planes, memory)
  }

  /// Copies an NV12 picture of the same size into one of half-size chroma.
  ///
  /// The lower bits of 10-bit samples get fixed values that rounding drops.
  package func take(_ picture: TestPicture) {
    var random = SeededGenerator(seed: 10)
    func put(_ value: Int, at place: UnsafeMutablePointer<UInt8>) {
      unsafe place.pointee = UInt8(value)
      guard pixelFormat == .p010 else { return }
      unsafe (place - 1).pointee = UInt8.random(in: 0..<128, using: &random)
    }
    for y in 0..<format.height {
      for x in 0..<format.width { unsafe put(picture.luma(x, y), at: lumaPlace(x, y)) }
    }
    for y in 0..<format.chromaHeight {
      for x in 0..<format.chromaWidth {
        let (cb, cr) = picture.chroma(2 * x, 2 * y)
        let places = unsafe chromaPlaces(x, y)
        unsafe put(cb, at: places.cb)
        unsafe put(cr, at: places.cr)
      }
    }
  }

  /// The position of the upper 8 bits of a sample.
  private func lumaPlace(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe planes[0].row(y) + (pixelFormat == .p010 ? 2 * x + 1 : x)
  }

  /// Returns a picture of half-size chroma as NV12, with its padding.
  package func makePicture() -> TestPicture {
    let picture = TestPicture(format: format, padding: planes[0].stride - planes[0].width)
    let (luma, chroma) = (picture.frame.luma, picture.frame.chroma)
    for y in 0..<format.height {
      for x in 0..<format.width { unsafe luma.row(y)[x] = lumaPlace(x, y).pointee }
      let padding = luma.stride - luma.width
      unsafe (luma.row(y) + luma.width).update(
        from: planes[0].row(y) + planes[0].width, count: padding)
    }
    for y in 0..<format.chromaHeight {
      for x in 0..<format.chromaWidth {
        let places = unsafe chromaPlaces(x, y)
        unsafe (chroma.row(y)[2 * x], chroma.row(y)[2 * x + 1]) = unsafe (
          places.cb.pointee, places.cr.pointee
        )
      }
      // The padding, if there is any.
      let last = planes[1]
      let padding = min(chroma.stride - chroma.width, last.stride - last.width)
      unsafe (chroma.row(y) + chroma.width).update(from: last.row(y) + last.width, count: padding)
    }
    return picture
  }

  private func chromaPlaces(
    _ x: Int, _ y: Int
  ) -> (cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>) {
    switch pixelFormat {
    case .nv12: unsafe (planes[1].row(y) + 2 * x, planes[1].row(y) + 2 * x + 1)
    case .nv21: unsafe (planes[1].row(y) + 2 * x + 1, planes[1].row(y) + 2 * x)
    case .p010: unsafe (planes[1].row(y) + 4 * x + 1, planes[1].row(y) + 4 * x + 3)
    default: unsafe (planes[1].row(y) + x, planes[2].row(y) + x)
    }
  }

  package func byte(_ x: Int, _ y: Int, plane: Int = 0) -> UInt8 {
    unsafe planes[plane].row(y)[x]
  }

  /// All bytes of a plane, without the padding.
  package func bytes(plane: Int) -> [UInt8] {
    let plane = planes[plane]
    return (0..<plane.height).flatMap { y in
      unsafe Array(UnsafeBufferPointer(start: plane.row(y), count: plane.width))
    }
  }

  package var bytes: [[UInt8]] { (0..<pixelFormat.planeCount).map { bytes(plane: $0) } }

  /// The four bytes of a pixel in a packed format.
  package func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    precondition(planes[0].width == 4 * format.width, "\(pixelFormat) has its samples apart")
    return [byte(4 * x, y), byte(4 * x + 1, y), byte(4 * x + 2, y), byte(4 * x + 3, y)]
  }

  /// The alpha of a pixel, 255 in a format without alpha.
  package func alpha(_ x: Int, _ y: Int) -> UInt8 {
    switch pixelFormat {
    case .a420: byte(x, y, plane: 3)
    case .ayuv, .argb, .abgr: byte(4 * x, y)
    case .rgba, .bgra: byte(4 * x + 3, y)
    case .nv12, .nv21, .i420, .p010, .gray8: 255
    }
  }

  /// Red, green and blue of a pixel in an RGB format.
  package func color(_ x: Int, _ y: Int) -> [UInt8] {
    let (red, green, blue) =
      switch pixelFormat {
      case .bgra: (2, 1, 0)
      case .argb: (1, 2, 3)
      case .abgr: (3, 2, 1)
      default: (0, 1, 2)
      }
    return [byte(4 * x + red, y), byte(4 * x + green, y), byte(4 * x + blue, y)]
  }

  /// The bytes of a pixel and its chroma, without alpha.
  ///
  /// Of 10-bit samples, returns the upper 8 bits.
  package func samples(_ x: Int, _ y: Int) -> [UInt8] {
    switch pixelFormat {
    case .nv12, .nv21:
      [byte(x, y), byte(x / 2 * 2, y / 2, plane: 1), byte(x / 2 * 2 + 1, y / 2, plane: 1)]
    case .p010:
      [
        byte(2 * x + 1, y), byte(x / 2 * 4 + 1, y / 2, plane: 1),
        byte(x / 2 * 4 + 3, y / 2, plane: 1),
      ]
    case .i420, .a420:
      [byte(x, y), byte(x / 2, y / 2, plane: 1), byte(x / 2, y / 2, plane: 2)]
    case .ayuv: Array(pixel(x, y)[1...])
    case .rgba, .bgra, .argb, .abgr: color(x, y)
    case .gray8: [byte(x, y)]
    }
  }

  /// Whether no byte of the padding was written.
  package var paddingIsIntact: Bool {
    (0..<pixelFormat.planeCount).allSatisfy { planes[$0].paddingIsIntact }
  }
}
