/// How a stored picture is to be turned before it is looked at.
public struct ImageOrientation: Equatable, Sendable {
  /// Whether rows and columns change places.
  public let transposes: Bool
  /// Whether the stored picture's columns are read from right to left.
  public let reversesColumns: Bool
  /// Whether the stored picture's rows are read from bottom to top.
  public let reversesRows: Bool

  /// A picture that is stored upright.
  public static let upright = ImageOrientation(false, false, false)

  /// Makes an orientation of what its members say.
  public init(_ transposes: Bool, _ reversesColumns: Bool, _ reversesRows: Bool) {
    self.transposes = transposes
    self.reversesColumns = reversesColumns
    self.reversesRows = reversesRows
  }

  /// The orientation of a number of Exif's tag 0x0112; nil when it is none of 1 to 8.
  public init?(exifValue: Int) {
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
  public init?(tag: String) {
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

  /// Turns a picture back that this one turned upright.
  public var inverse: ImageOrientation {
    transposes ? ImageOrientation(true, reversesRows, reversesColumns) : self
  }

  /// Returns the orientation that turns a picture by this one first, then by `next`.
  public func followed(by next: ImageOrientation) -> ImageOrientation {
    transposes
      ? ImageOrientation(
        !next.transposes, reversesColumns != next.reversesRows,
        reversesRows != next.reversesColumns)
      : ImageOrientation(
        next.transposes, reversesColumns != next.reversesColumns, reversesRows != next.reversesRows)
  }

  /// Returns a width and a height once a picture of that size is turned.
  public func turned(width: Int, height: Int) -> (width: Int, height: Int) {
    transposes ? (height, width) : (width, height)
  }

  /// Returns the width of a pixel divided by its height once the picture is turned.
  public func turned(pixelAspect: Double) -> Double { transposes ? 1 / pixelAspect : pixelAspect }

  /// The picture as it is to be looked at; the same raster when it is upright already.
  public func apply(to stored: Raster<UInt32>) throws(OutOfMemory) -> Raster<UInt32> {
    if self == .upright { return stored }
    let (width, height) = turned(width: stored.width, height: stored.height)
    let result = try Raster<UInt32>(allocating: width, height: height, filledWith: 0)
    let size = MemoryLayout<UInt32>.size
    turn(
      unsafe Plane(
        base: UnsafeMutableRawPointer(stored.base).assumingMemoryBound(to: UInt8.self),
        width: size * stored.width, height: stored.height, stride: size * stored.width),
      into: unsafe Plane(
        base: UnsafeMutableRawPointer(result.base).assumingMemoryBound(to: UInt8.self),
        width: size * width, height: height, stride: size * width),
      of: UInt32.self)
    return result
  }

  /// Turns a plane of single bytes; see `turn(_:into:of:within:rows:)`.
  public func turn(
    _ stored: Plane, into result: Plane, within padded: (width: Int, height: Int)? = nil,
    rows: Range<Int>? = nil
  ) {
    turn(stored, into: result, of: UInt8.self, within: padded, rows: rows)
  }

  /// Turns a plane of interleaved pairs; see `turn(_:into:of:within:rows:)`.
  public func turnPairs(
    _ stored: Plane, into result: Plane, within padded: (width: Int, height: Int)? = nil,
    rows: Range<Int>? = nil
  ) {
    turn(stored, into: result, of: UInt16.self, within: padded, rows: rows)
  }

  /// Turns a plane of samples, or those that fall into some rows of the result.
  ///
  /// The stored plane is taken as `padded` in size, its last column and row repeated; without, it has
  /// its own size. The result may be smaller than that is once it is turned.
  private func turn<Sample: BitwiseCopyable>(
    _ stored: Plane, into result: Plane, of type: Sample.Type,
    within padded: (width: Int, height: Int)? = nil, rows: Range<Int>? = nil
  ) {
    // Rows of the one are columns of the other: squares of samples stay in the processor's cache.
    let side = 32
    let size = MemoryLayout<Sample>.size
    let (width, height) = (stored.width / size, stored.height)
    let (lastColumn, lastRow) = ((padded?.width ?? width) - 1, (padded?.height ?? height) - 1)
    let rows = rows ?? 0..<result.height
    let columns = result.width / size
    for top in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: side) {
      for left in Swift.stride(from: 0, to: columns, by: side) {
        for y in top..<min(top + side, rows.upperBound) {
          let target = unsafe UnsafeMutableRawPointer(result.row(y))
          for x in left..<min(left + side, columns) {
            let (u, v) = transposes ? (y, x) : (x, y)
            let column = min(reversesColumns ? lastColumn &- u : u, width &- 1)
            let row = min(reversesRows ? lastRow &- v : v, height &- 1)
            // A plane may begin at any byte.
            let sample = unsafe UnsafeRawPointer(stored.row(row)).loadUnaligned(
              fromByteOffset: column &* size, as: type)
            unsafe target.storeBytes(of: sample, toByteOffset: x &* size, as: type)
          }
        }
      }
    }
  }
}
