/// A rectangle of samples that owns its memory.
///
/// Rows have no padding between them, and the first row is aligned to 64 bytes. Two samples beyond
/// the last sample may be read, so that interpolation needs no special case at the end. Not
/// thread-safe.
@safe public final class Raster<Sample: BitwiseCopyable> {
  /// The first sample of the first row, valid for as long as the raster lives.
  public let base: UnsafeMutablePointer<Sample>
  /// The number of samples in a row, and of rows.
  public let width: Int, height: Int

  /// The number of readable samples after the last sample: a pair, for interleaved chroma.
  @usableFromInline static var readableBeyondEnd: Int { 2 }

  /// Allocates `width * height` samples, each set to `value`.
  ///
  /// Throws if there is not enough memory. Use this for pictures, and for other sizes that files or
  /// streams determine.
  @inlinable public convenience init(
    allocating width: Int, height: Int, filledWith value: Sample
  ) throws(OutOfMemory) {
    try self.init(allocating: width, height: height)
    unsafe base.initialize(repeating: value, count: width * height + Self.readableBeyondEnd)
  }

  /// Allocates `width * height` samples, each set to `value`.
  ///
  /// Ends the process if there is not enough memory, as Swift does for every object. Use this for
  /// tables, rows and data of frames that are already allocated.
  @inlinable public convenience init(width: Int, height: Int, filledWith value: Sample) {
    do throws(OutOfMemory) {
      try self.init(allocating: width, height: height, filledWith: value)
    } catch {
      fatalError("\(error): samples of \(width)x\(height)")
    }
  }

  /// Allocates uninitialised samples.
  ///
  /// The inlinable initialisers fill the samples, because the calling module knows their type.
  /// Otherwise each sample would need a function call.
  @usableFromInline init(allocating width: Int, height: Int) throws(OutOfMemory) {
    let (product, overflows) = width.multipliedReportingOverflow(by: height)
    let (count, overflowsAgain) = product.addingReportingOverflow(Self.readableBeyondEnd)
    let (byteCount, overflowsInTheEnd) = count.multipliedReportingOverflow(
      by: MemoryLayout<Sample>.stride)
    guard !overflows, !overflowsAgain, !overflowsInTheEnd else {
      throw OutOfMemory(byteCount: .max)
    }
    guard let memory = unsafe SampleMemory.allocate(byteCount: byteCount) else {
      throw OutOfMemory(byteCount: byteCount)
    }
    unsafe base = memory.bindMemory(to: Sample.self, capacity: count)
    self.width = width
    self.height = height
  }

  deinit {
    let count = width * height + Self.readableBeyondEnd
    unsafe SampleMemory.deallocate(
      UnsafeMutableRawPointer(base), byteCount: count * MemoryLayout<Sample>.stride)
  }

  /// Returns the first sample of row `y`, which must be in `0..<height`.
  @inlinable public func row(_ y: Int) -> UnsafeMutablePointer<Sample> {
    unsafe base + y &* width
  }

  /// The raster's memory as a plane of bytes, valid for as long as the raster lives.
  @inlinable public var plane: Plane {
    let size = MemoryLayout<Sample>.stride
    return unsafe Plane(
      base: UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt8.self),
      width: size * width, height: height, stride: size * width)
  }

  /// Sets every sample to `value`.
  @inlinable public func fill(with value: Sample) {
    unsafe base.update(repeating: value, count: width * height)
  }
}
