import PixelTypes
import Synchronization

/// The division of a frame's rows into bands for several threads.
package struct Bands: Equatable {
  /// The maximum number of threads per frame.
  package let threads: Int
  /// The number of bands per frame.
  package let count: Int
  /// The counter for the CPU time of the helper threads.
  package let helperTime: HelperTime?

  /// The whole frame in one band, on the calling thread.
  package static let single = Bands(threads: 1, count: 1, helperTime: nil)

  /// The minimum size of a frame in pixels, below which waking threads costs more than it saves.
  private static let minPixels = 1_200_000
  /// The maximum number of threads, because memory bandwidth limits more threads.
  ///
  /// Each thread must also be woken for each frame.
  private static let maxThreads = 8
  /// The number of bands per thread, so that other threads can do the work of a late thread.
  private static let bandsPerThread = 4

  /// Divides frames of `format` among `threads`, except for small frames.
  package init(format: FrameFormat, threads: Int, helperTime: HelperTime? = nil) {
    guard threads > 1, format.width * format.height >= Self.minPixels else {
      self = .single
      return
    }
    let threads = min(threads, Self.maxThreads)
    self.init(
      threads: threads, count: min(threads * Self.bandsPerThread, max(format.chromaHeight, 1)),
      helperTime: helperTime)
  }

  /// Divides work into `count` bands.
  package init(threads: Int, count: Int, helperTime: HelperTime? = nil) {
    (self.threads, self.count, self.helperTime) = (threads, count, helperTime)
  }

  package static func == (a: Self, b: Self) -> Bool { a.threads == b.threads && a.count == b.count }

  /// Returns the part of `total` rows that belongs to a band.
  package func rows(of total: Int, in band: Int) -> Range<Int> {
    total * band / count..<total * (band + 1) / count
  }
}

/// A counter for the CPU time of helper threads.
public final class HelperTime: Sendable {
  private let sum = Atomic<UInt64>(0)

  /// Creates a counter that starts at 0.
  public init() {}

  /// The total CPU time in nanoseconds.
  public var nanoseconds: UInt64 { sum.load(ordering: .relaxed) }

  /// Adds CPU time in nanoseconds.
  package func add(_ nanoseconds: UInt64) {
    sum.wrappingAdd(nanoseconds, ordering: .relaxed)
  }
}
