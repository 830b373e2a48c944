/// The position of the first sample of a row in memory.
public enum RowPlacement: CaseIterable, Sendable {
  /// At a multiple of 64 bytes.
  case aligned
  /// One sample after a multiple of 64 bytes.
  case unaligned
  /// The last sample ends at a page that must not be accessed.
  case pageEnd
}

/// A row of samples in its own memory, between marked bytes that must not be written.
///
/// Owns its memory. Not thread-safe.
@safe public final class SampleRow<Sample: BitwiseCopyable> {
  /// The first sample, valid for the lifetime of the row.
  public let base: UnsafeMutablePointer<Sample>
  /// Number of samples.
  public let count: Int
  private let memory: PageEndBuffer<UInt8>
  private let trailingBytes: Int

  private static var mark: UInt8 { 0xA5 }
  private static var leadingBytes: Int { 64 }

  /// Copies `samples` to a row of memory at `placement`.
  public init(_ samples: [Sample], at placement: RowPlacement) {
    let stride = MemoryLayout<Sample>.stride
    let byteCount = samples.count * stride
    let toAlignedStart = 64 + (64 - byteCount % 64) % 64
    trailingBytes =
      switch placement {
      case .aligned: toAlignedStart
      case .unaligned: toAlignedStart - stride
      case .pageEnd: 0
      }
    memory = PageEndBuffer(count: Self.leadingBytes + byteCount + trailingBytes)
    count = samples.count
    unsafe memory.base.update(repeating: Self.mark, count: memory.count)
    unsafe base = UnsafeMutableRawPointer(memory.base + Self.leadingBytes)
      .bindMemory(to: Sample.self, capacity: samples.count)
    unsafe base.initialize(from: samples, count: samples.count)
  }

  /// The samples as they are now.
  public var samples: [Sample] {
    unsafe Array(UnsafeBufferPointer(start: base, count: count))
  }

  /// The current value of a sample.
  public subscript(index: Int) -> Sample {
    precondition((0..<count).contains(index))
    return unsafe base[index]
  }

  /// Whether the bytes before and after the samples are unchanged.
  public var isBorderIntact: Bool {
    let end = memory.count - trailingBytes
    return (0..<Self.leadingBytes).allSatisfy { unsafe memory.base[$0] == Self.mark }
      && (end..<memory.count).allSatisfy { unsafe memory.base[$0] == Self.mark }
  }
}
