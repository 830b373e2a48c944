import InferenceTypes
import PixelTypes

#if canImport(Glibc)
  import Glibc
#endif

/// Turns CenterFace's maps into boxes in pixels of the frame: one for each face that is seen.
///
/// Works in memory that is made beforehand. Used on one thread at a time.
struct FaceMapDecoder {
  /// A face that is seen.
  struct SeenBox {
    var box: FaceBox
    /// How sure the network is, 0 to 1.
    var score: Float
  }

  /// What is seen, the surest first.
  private(set) var seen: [SeenBox] = []

  private var candidates: [SeenBox] = []

  /// Offsets farther from 0 than this, in cells, and logarithms of sizes in cells, are no face's.
  private static let mostCells: Float = 4

  init() {
    candidates.reserveCapacity(FaceMaps.cells)
    seen.reserveCapacity(FaceMaps.cells)
  }

  /// Reads maps of a part of the frame; what has a lower score than `threshold` is no face.
  ///
  /// Values that are no numbers count for nothing.
  mutating func decode(_ maps: FaceMaps, of part: PixelRegion, threshold: Float) {
    candidates.removeAll(keepingCapacity: true)
    for cell in 0..<FaceMaps.cells {
      // Also false for what is no number.
      guard unsafe maps.scores[cell] >= threshold, let box = Self.box(maps, cell) else { continue }
      candidates.append(SeenBox(box: box, score: unsafe min(maps.scores[cell], 1)))
    }
    suppress()
    let scaleX = Float(part.width) / Float(FaceMaps.input.width)
    let scaleY = Float(part.height) / Float(FaceMaps.input.height)
    for index in seen.indices {
      let box = seen[index].box
      seen[index].box = FaceBox(
        center: FacePoint(
          x: Float(part.x) + box.center.x * scaleX, y: Float(part.y) + box.center.y * scaleY),
        width: box.width * scaleX, height: box.height * scaleY)
    }
  }

  /// The box that a cell tells of, in pixels of the input.
  private static func box(_ maps: FaceMaps, _ cell: Int) -> FaceBox? {
    let (height, width) = unsafe (maps.extents[cell], maps.extents[FaceMaps.cells + cell])
    let (down, right) = unsafe (maps.offsets[cell], maps.offsets[FaceMaps.cells + cell])
    for value in [height, width, down, right] where !(abs(value) <= mostCells) { return nil }
    let side = Float(FaceMaps.cellSide)
    let (row, column) = cell.quotientAndRemainder(dividingBy: FaceMaps.columns)
    return FaceBox(
      center: FacePoint(
        x: (Float(column) + right + 0.5) * side, y: (Float(row) + down + 0.5) * side),
      width: expf(width) * side, height: expf(height) * side)
  }

  /// Of all candidates for a face the surest one stays.
  private mutating func suppress() {
    seen.removeAll(keepingCapacity: true)
    while let best = candidates.max(by: { $0.score < $1.score }) {
      seen.append(best)
      candidates.removeAll { $0.box.overlap(best.box) > FaceDecoder.sameFace }
    }
  }
}
