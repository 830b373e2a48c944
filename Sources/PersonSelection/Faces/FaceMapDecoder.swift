import Glibc
import InferenceTypes
import PixelTypes

/// Decodes CenterFace's maps into boxes in pixels of the frame, one per visible face.
///
/// Allocates only in `init`. Not thread-safe.
struct FaceMapDecoder {
  /// A detected face.
  struct SeenBox {
    var box: FaceBox
    /// The confidence of the network, 0 to 1.
    var score: Float
  }

  /// The detected faces, the highest score first.
  private(set) var seen: [SeenBox] = []

  private var candidates: [SeenBox] = []

  /// The maximum of absolute offsets in cells, and of logarithms of sizes in cells.
  private static let maxCells: Float = 4

  init() {
    candidates.reserveCapacity(FaceMaps.cells)
    seen.reserveCapacity(FaceMaps.cells)
  }

  /// Reads the maps of a crop of the frame, and ignores scores below `threshold`.
  ///
  /// Values that are not numbers are ignored.
  mutating func decode(_ maps: FaceMaps, of part: PixelRegion, threshold: Float) {
    candidates.removeAll(keepingCapacity: true)
    for cell in 0..<FaceMaps.cells {
      // Also false for NaN.
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

  /// The box of a cell, in pixels of the input.
  private static func box(_ maps: FaceMaps, _ cell: Int) -> FaceBox? {
    let (height, width) = unsafe (maps.extents[cell], maps.extents[FaceMaps.cells + cell])
    let (down, right) = unsafe (maps.offsets[cell], maps.offsets[FaceMaps.cells + cell])
    for value in [height, width, down, right] where !(abs(value) <= maxCells) { return nil }
    let side = Float(FaceMaps.cellSide)
    let (row, column) = cell.quotientAndRemainder(dividingBy: FaceMaps.columns)
    return FaceBox(
      center: FacePoint(
        x: (Float(column) + right + 0.5) * side, y: (Float(row) + down + 0.5) * side),
      width: expf(width) * side, height: expf(height) * side)
  }

  /// Keeps only the candidate with the highest score for each face.
  private mutating func suppress() {
    seen.removeAll(keepingCapacity: true)
    while let best = candidates.max(by: { $0.score < $1.score }) {
      seen.append(best)
      candidates.removeAll { $0.box.overlap(best.box) > FaceDecoder.sameFace }
    }
  }
}

extension FaceMaps {
  /// Blackens the columns before `first` and from `end` on, in an input tensor of `FaceMapNetwork`.
  ///
  /// Safety: the caller must own the tensor for the duration of the call.
  @unsafe static func blacken(
    _ tensor: UnsafeMutablePointer<Float>, before first: Int, from end: Int
  ) {
    let (first, end) = (min(max(first, 0), input.width), min(max(end, 0), input.width))
    guard first > 0 || end < input.width else { return }
    for row in 0..<3 * input.height {
      let row = unsafe tensor + row * input.width
      for x in 0..<first { unsafe row[x] = 0 }
      for x in end..<input.width { unsafe row[x] = 0 }
    }
  }
}
