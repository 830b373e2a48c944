import PixelTypes
import Synchronization

/// Plates of one format that are painted again when they are no longer shown.
///
/// A video thus needs memory only for its first pictures. Not thread-safe, but the plates may be
/// shown on any thread.
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

  /// Returns a plate after `paint` has filled all of its planes, or nil if every plate is in use.
  ///
  /// Throws if there is not enough memory for another one, and rethrows errors of `paint`.
  public func makePlate(
    paint: (Frame) throws(OutOfMemory) -> Void
  ) throws(OutOfMemory) -> Plate? {
    for index in plates.indices where isKnownUniquelyReferenced(&plates[index]) {
      // Pairs with the release of the plate by its last reader, so that all reads are over.
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
