/// The rotation or flip that turns a stored picture upright.
public struct ImageOrientation: Equatable, Sendable {
  /// Whether rows and columns are swapped.
  public let transposes: Bool
  /// Whether the stored picture is read from right to left, and from bottom to top.
  public let reversesColumns: Bool, reversesRows: Bool

  /// A picture that is stored upright.
  public static let upright = ImageOrientation(false, false, false)

  /// Creates an orientation from the values of its properties.
  public init(_ transposes: Bool, _ reversesColumns: Bool, _ reversesRows: Bool) {
    self.transposes = transposes
    self.reversesColumns = reversesColumns
    self.reversesRows = reversesRows
  }

  /// Creates the orientation for a value of the Exif tag 0x0112, if it is 1 to 8.
  public init?(exifValue: Int) {
    guard 1...8 ~= exifValue else { return nil }
    self.init(
      exifValue >= 5, [2, 3, 7, 8].contains(exifValue), [3, 4, 6, 7].contains(exifValue))
  }

  /// Creates the orientation for a valid value of GStreamer's tag `image-orientation`.
  public init?(tag: String) {
    // In the order of the Exif values.
    let tags = [
      "rotate-0", "flip-rotate-0", "rotate-180", "flip-rotate-180", "flip-rotate-270", "rotate-90",
      "flip-rotate-90", "rotate-270",
    ]
    guard let index = tags.firstIndex(of: tag) else { return nil }
    self.init(exifValue: index + 1)
  }

  /// The orientation that reverses this one.
  public var inverse: ImageOrientation {
    transposes ? ImageOrientation(true, reversesRows, reversesColumns) : self
  }

  /// Returns the orientation that turns a picture by this one first, then by `next`.
  public func followed(by next: ImageOrientation) -> ImageOrientation {
    let (columns, rows) =
      transposes
      ? (next.reversesRows, next.reversesColumns) : (next.reversesColumns, next.reversesRows)
    return ImageOrientation(
      transposes != next.transposes, reversesColumns != columns, reversesRows != rows)
  }

  /// Returns the size of a picture of `width` and `height` after it is turned.
  public func turned(width: Int, height: Int) -> (width: Int, height: Int) {
    transposes ? (height, width) : (width, height)
  }

  /// Returns the pixel aspect ratio after the picture is turned.
  public func turned(pixelAspect: Double) -> Double { transposes ? 1 / pixelAspect : pixelAspect }

  /// Returns the upright picture, which is the same raster if it is upright already.
  public func apply(to stored: Raster<UInt32>) throws(OutOfMemory) -> Raster<UInt32> {
    if self == .upright { return stored }
    let (width, height) = turned(width: stored.width, height: stored.height)
    let result = try Raster<UInt32>(allocating: width, height: height, filledWith: 0)
    turn(stored.plane, into: result.plane, of: UInt32.self)
    return result
  }

  /// Turns a plane of single bytes as `turn(_:into:of:within:rows:)` does.
  public func turn(
    _ stored: Plane, into result: Plane, within padded: (width: Int, height: Int)? = nil,
    rows: Range<Int>? = nil
  ) {
    turn(stored, into: result, of: UInt8.self, within: padded, rows: rows)
  }

  /// Turns a plane of interleaved pairs as `turn(_:into:of:within:rows:)` does.
  public func turnPairs(
    _ stored: Plane, into result: Plane, within padded: (width: Int, height: Int)? = nil,
    rows: Range<Int>? = nil
  ) {
    turn(stored, into: result, of: UInt16.self, within: padded, rows: rows)
  }

  /// Turns a plane of samples, or only the samples for some rows of the result.
  ///
  /// With `padded` the stored plane is extended to that size by repeating its last column and row.
  /// The result may be smaller than the turned plane.
  private func turn<Sample: BitwiseCopyable>(
    _ stored: Plane, into result: Plane, of type: Sample.Type,
    within padded: (width: Int, height: Int)? = nil, rows: Range<Int>? = nil
  ) {
    let size = MemoryLayout<Sample>.size
    let (width, height) = (stored.width / size, stored.height)
    // The rows of the result run along one of these axes, and its columns along the other.
    let columns = Axis(
      count: width, padded: padded?.width ?? width, step: size, isReversed: reversesColumns)
    let rowsOfStored = Axis(
      count: height, padded: padded?.height ?? height, step: stored.stride,
      isReversed: reversesRows)
    let (across, down) = transposes ? (rowsOfStored, columns) : (columns, rowsOfStored)
    // Rows may become columns, so work on squares of samples, which stay in the processor's cache.
    let side = 32
    let rows = rows ?? 0..<result.height
    let end = result.width / size
    for top in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: side) {
      for left in Swift.stride(from: 0, to: end, by: side) {
        let right = min(left + side, end)
        let own = across.own.clamped(to: left..<right)
        for y in top..<min(top + side, rows.upperBound) {
          let source = unsafe UnsafeRawPointer(stored.base) + down.offset(y)
          let target = unsafe UnsafeMutableRawPointer(result.row(y))
          var offset = across.offset(own.lowerBound)
          for x in own {
            // Planes may be unaligned.
            unsafe target.storeBytes(
              of: source.loadUnaligned(fromByteOffset: offset, as: type),
              toByteOffset: x &* size, as: type)
            offset &+= across.step
          }
          guard own.count < right - left else { continue }
          for x in left..<right where !own.contains(x) {
            unsafe target.storeBytes(
              of: source.loadUnaligned(fromByteOffset: across.offset(x), as: type),
              toByteOffset: x &* size, as: type)
          }
        }
      }
    }
  }

  /// Maps places in the result to the columns or rows of a stored plane.
  private struct Axis {
    /// The distance between the samples of adjacent places, in bytes.
    let step: Int
    /// The places with their own sample, while all others repeat the last sample.
    let own: Range<Int>
    private let start: Int
    private let last: Int

    init(count: Int, padded: Int, step: Int, isReversed: Bool) {
      self.step = isReversed ? -step : step
      own = isReversed ? padded - count..<padded : 0..<count
      start = isReversed ? (padded - 1) * step : 0
      last = (count - 1) * step
    }

    /// Returns the offset of the sample of a place, in bytes.
    func offset(_ place: Int) -> Int { min(start &+ place &* step, last) }
  }
}
