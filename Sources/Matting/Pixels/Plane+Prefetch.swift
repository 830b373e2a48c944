import CPrefetch
import PixelTypes

extension Plane {
  /// Asks the processor to bring row `y` into its cache; a row that is not there is passed over.
  package func prefetch(row y: Int) {
    guard 0..<height ~= y else { return }
    unsafe prefetch_bytes(row(y), width)
  }
}
