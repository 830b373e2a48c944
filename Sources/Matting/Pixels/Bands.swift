import PixelTypes
import Threads

/// How the rows of frames of one size are divided among threads.
package struct Bands: Equatable {
  /// How many threads may work on a frame.
  package let threads: Int
  /// How many bands a frame falls into.
  package let count: Int
  /// Counts what the other threads compute.
  package let helperTime: HelperTime?

  /// The whole frame in one band, on the calling thread.
  package static let single = Bands(threads: 1, count: 1, helperTime: nil)

  /// From here on the time that is won is more than what it takes to wake a thread.
  private static let leastPixels = 1_200_000
  /// Memory is read and written no faster by more threads, and each has to be woken for each frame.
  private static let mostThreads = 8
  /// More bands than threads: a thread that is not run at once leaves its share to the others.
  private static let bandsPerThread = 4

  /// Divides frames of `format` among `threads`; small ones are not divided.
  package init(format: FrameFormat, threads: Int, helperTime: HelperTime? = nil) {
    guard threads > 1, format.width * format.height >= Self.leastPixels else {
      self = .single
      return
    }
    let threads = min(threads, Self.mostThreads)
    self.init(
      threads: threads, count: min(threads * Self.bandsPerThread, max(format.chromaHeight, 1)),
      helperTime: helperTime)
  }

  /// Divides something into so many bands.
  package init(threads: Int, count: Int, helperTime: HelperTime? = nil) {
    self.threads = threads
    self.count = count
    self.helperTime = helperTime
  }

  package static func == (a: Self, b: Self) -> Bool { a.threads == b.threads && a.count == b.count }

  /// The part of `total` rows that belongs to a band.
  package func rows(of total: Int, in band: Int) -> Range<Int> {
    total * band / count..<total * (band + 1) / count
  }
}
