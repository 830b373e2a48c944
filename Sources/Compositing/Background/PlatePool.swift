import PixelTypes
import Synchronization

/// Reuses the plates of one format after their last reader has released them.
///
/// A video thus allocates memory only for its first pictures. The pool is not thread-safe, but any
/// thread may read the plates.
public final class PlatePool {
  /// The format of the plates.
  public let format: FrameFormat
  private let capacity: Int
  private var plates: [Plate] = []

  /// Creates a pool of at most `capacity` plates, each allocated when it is first needed.
  public init(format: FrameFormat, capacity: Int) {
    self.format = format
    self.capacity = capacity
  }

  /// Returns a plate after `paint` has filled its planes, or nil if every plate is in use.
  ///
  /// Throws if there is not enough memory for a new plate, and rethrows errors of `paint`.
  public func makePlate(
    paint: (Frame) throws(OutOfMemory) -> Void
  ) throws(OutOfMemory) -> Plate? {
    for index in plates.indices where isKnownUniquelyReferenced(&plates[index]) {
      // Pairs with the release by the plate's last reader: all reads precede the new writes.
      atomicMemoryFence(ordering: .acquiring)
      try paint(plates[index].frame)
      return plates[index]
    }
    guard plates.count < capacity else { return nil }
    let plate = try Plate(allocating: format, paint: paint)
    plates.append(plate)
    return plate
  }
}
