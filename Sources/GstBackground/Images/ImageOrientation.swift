import PixelTypes

/// How a stored picture is to be turned before it is looked at.
struct ImageOrientation: Equatable, Sendable {
  /// Whether rows and columns change places.
  let transposes: Bool
  /// Whether the stored picture's columns are read from right to left.
  let reversesColumns: Bool
  /// Whether the stored picture's rows are read from bottom to top.
  let reversesRows: Bool

  /// A picture that is stored upright.
  static let upright = ImageOrientation(false, false, false)

  private init(_ transposes: Bool, _ reversesColumns: Bool, _ reversesRows: Bool) {
    self.transposes = transposes
    self.reversesColumns = reversesColumns
    self.reversesRows = reversesRows
  }

  /// The orientation of a number of Exif's tag 0x0112; nil when it is none of 1 to 8.
  init?(exifValue: Int) {
    switch exifValue {
    case 1: self.init(false, false, false)
    case 2: self.init(false, true, false)
    case 3: self.init(false, true, true)
    case 4: self.init(false, false, true)
    case 5: self.init(true, false, false)
    case 6: self.init(true, false, true)
    case 7: self.init(true, true, true)
    case 8: self.init(true, true, false)
    default: return nil
    }
  }

  /// The orientation of GStreamer's tag `image-orientation`; nil when it is none of its words.
  init?(tag: String) {
    switch tag {
    case "rotate-0": self.init(exifValue: 1)
    case "flip-rotate-0": self.init(exifValue: 2)
    case "rotate-180": self.init(exifValue: 3)
    case "flip-rotate-180": self.init(exifValue: 4)
    case "flip-rotate-270": self.init(exifValue: 5)
    case "rotate-90": self.init(exifValue: 6)
    case "flip-rotate-90": self.init(exifValue: 7)
    case "rotate-270": self.init(exifValue: 8)
    default: return nil
    }
  }

  /// The picture as it is to be looked at; the same raster when it is upright already.
  func apply(to stored: Raster<UInt32>) throws(OutOfMemory) -> Raster<UInt32> {
    if self == .upright { return stored }
    let (width, height) = (stored.width, stored.height)
    let result = try Raster<UInt32>(
      allocating: transposes ? height : width, height: transposes ? width : height, filledWith: 0)
    unsafe turn(stored.base, width: width, height: height, stride: width, into: result)
    return result
  }

  /// Turns a plane of single bytes; `result` has its size, the sides exchanged if they are to be.
  func turn(_ stored: Plane, into result: Raster<UInt8>) {
    unsafe turn(
      stored.base, width: stored.width, height: stored.height, stride: stored.stride, into: result)
  }

  /// Turns `height` rows of `width` samples, the first ones `stride` samples apart.
  private func turn<Sample>(
    _ stored: UnsafePointer<Sample>, width: Int, height: Int, stride: Int,
    into result: Raster<Sample>
  ) {
    // Walks over the result in rows; `right` and `down` are the steps over the stored samples.
    let column = reversesColumns ? -1 : 1
    let row = reversesRows ? -stride : stride
    let (right, down) = transposes ? (row, column) : (column, row)
    let start = (reversesColumns ? width - 1 : 0) + (reversesRows ? (height - 1) * stride : 0)
    for y in 0..<result.height {
      let target = unsafe result.row(y)
      var position = start + y * down
      for x in 0..<result.width {
        unsafe target[x] = stored[position]
        position &+= right
      }
    }
  }
}
