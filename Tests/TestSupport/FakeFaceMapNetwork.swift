import Matting
import PersonSelection

#if canImport(Glibc)
  import Glibc
#endif

/// Reports the red area of its input as one face, and the blue area as another.
@safe package final class FakeFaceMapNetwork: FaceMapNetwork {
  package static let (width, height) = FaceMaps.input

  private let memory = (
    input: ExactMemory<Float>(3 * FaceMaps.input.width * FaceMaps.input.height, filledWith: 0),
    scores: ExactMemory<Float>(FaceMaps.cells, filledWith: 0),
    extents: ExactMemory<Float>(2 * FaceMaps.cells, filledWith: 0),
    offsets: ExactMemory<Float>(2 * FaceMaps.cells, filledWith: 0)
  )
  /// Thrown by `infer` while it is set.
  package var failure: SegmentationError?
  /// Fills the maps instead of looking at the input, while it is set.
  package var output: ((FakeFaceMapNetwork) -> Void)?
  /// The score of the red face.
  package var score: Float = 0.9

  package init() {}

  package var inputTensor: UnsafeMutablePointer<Float> { unsafe memory.input.base }
  package var scores: UnsafeMutablePointer<Float> { unsafe memory.scores.base }
  package var extents: UnsafeMutablePointer<Float> { unsafe memory.extents.base }
  package var offsets: UnsafeMutablePointer<Float> { unsafe memory.offsets.base }
  package var maps: FaceMaps { unsafe FaceMaps(scores: scores, extents: extents, offsets: offsets) }

  package func infer() throws(SegmentationError) -> FaceMaps {
    if let failure { throw failure }
    unsafe scores.update(repeating: 0, count: FaceMaps.cells)
    if let output {
      output(self)
    } else {
      find(channel: 0, score: score)
      find(channel: 2, score: 0.95)
    }
    return maps
  }

  /// Puts a face at the centre of a cell.
  ///
  /// `width` and `height` are logarithms of its extents in cells.
  package func put(column: Int, row: Int, width: Float = 1, height: Float = 1, score: Float) {
    let cell = row * FaceMaps.columns + column
    unsafe scores[cell] = score
    unsafe (extents[cell], extents[FaceMaps.cells + cell]) = (height, width)
    unsafe (offsets[cell], offsets[FaceMaps.cells + cell]) = (0, 0)
  }

  private func find(channel: Int, score: Float) {
    var (left, right, top, bottom) = (Self.width, -1, Self.height, -1)
    let count = Self.width * Self.height
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let pixel = unsafe inputTensor + y * Self.width + x
        guard unsafe pixel[channel * count] > pixel[count] + 80,
          unsafe pixel[channel * count] > pixel[(2 - channel) * count] + 80
        else { continue }
        (left, right) = (min(left, x), max(right, x))
        (top, bottom) = (min(top, y), max(bottom, y))
      }
    }
    guard right >= left else { return }
    let side = Float(FaceMaps.cellSide)
    let (width, height) = (Float(right + 1 - left) / side, Float(bottom + 1 - top) / side)
    let (x, y) = (Float(left) / side + width / 2, Float(top) / side + height / 2)
    let cell = Int(y) * FaceMaps.columns + Int(x)
    unsafe scores[cell] = score
    unsafe extents[cell] = logf(height)
    unsafe extents[FaceMaps.cells + cell] = logf(width)
    unsafe offsets[cell] = y - Float(Int(y)) - 0.5
    unsafe offsets[FaceMaps.cells + cell] = x - Float(Int(x)) - 0.5
  }
}
