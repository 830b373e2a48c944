import PixelTypes
import Synchronization

/// Plates of one format that are painted again once they are no longer shown.
///
/// So a video needs no memory beyond its first pictures. Used on one thread at a time; the plates
/// themselves may be shown on any.
public final class PlatePool {
  /// The format of the plates.
  public let format: FrameFormat
  private let capacity: Int
  private var plates: [Plate] = []

  /// Makes a pool of at most `capacity` plates, each allocated when it is first needed.
  public init(format: FrameFormat, capacity: Int) {
    self.format = format
    self.capacity = capacity
  }

  /// A plate whose planes `paint` fills, all of them; nil when every plate is in use.
  ///
  /// Throws when there is no memory for another one, and what `paint` throws.
  public func makePlate(
    paint: (Frame) throws(OutOfMemory) -> Void
  ) throws(OutOfMemory) -> Plate? {
    for index in plates.indices where isKnownUniquelyReferenced(&plates[index]) {
      // Pairs with the release by which the last reader let go of the plate: its reads are over.
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
