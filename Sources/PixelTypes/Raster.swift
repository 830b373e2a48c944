/// A rectangle of samples that owns its memory: rows without padding between them, the first row
/// aligned to 64 bytes.
///
/// Two samples beyond the last may be read, so that interpolation needs no special case at the end.
/// Not thread-safe; the owner uses it on one thread at a time.
@safe public final class Raster<Sample: BitwiseCopyable> {
  /// The first sample of the first row; valid for as long as the raster lives.
  public let base: UnsafeMutablePointer<Sample>
  /// Samples in a row.
  public let width: Int
  /// Number of rows.
  public let height: Int

  /// Samples after the last one that belong to the allocation: a pair, for interleaved chroma.
  @usableFromInline static var readableBeyondEnd: Int { 2 }

  /// Allocates `width * height` samples, each set to `value`; throws when there is no memory.
  ///
  /// For pictures, and whatever else has its size from outside.
  @inlinable public convenience init(
    allocating width: Int, height: Int, filledWith value: Sample
  ) throws(OutOfMemory) {
    try self.init(allocating: width, height: height)
    unsafe base.initialize(repeating: value, count: width * height + Self.readableBeyondEnd)
  }

  /// Allocates `width * height` samples, each set to `value`; ends the process when there is no
  /// memory, as Swift does for every object.
  ///
  /// For tables and rows, and for what belongs to frames whose memory was allocated before.
  @inlinable public convenience init(width: Int, height: Int, filledWith value: Sample) {
    do throws(OutOfMemory) {
      try self.init(allocating: width, height: height, filledWith: value)
    } catch {
      fatalError("\(error): samples of \(width)x\(height)")
    }
  }

  /// Allocates samples that are not initialised yet.
  ///
  /// The inlinable initialisers fill them where the type of the samples is known: elsewhere each of
  /// them would cost a call.
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

  /// The first sample of row `y`, which must lie in `0..<height`.
  @inlinable public func row(_ y: Int) -> UnsafeMutablePointer<Sample> {
    unsafe base + y &* width
  }

  /// Sets every sample to `value`.
  @inlinable public func fill(with value: Sample) {
    unsafe base.update(repeating: value, count: width * height)
  }
}

extension Raster where Sample == UInt8 {
  /// The raster's memory as a plane; valid for as long as the raster lives.
  public var plane: Plane {
    unsafe Plane(base: base, width: width, height: height, stride: width)
  }
}
