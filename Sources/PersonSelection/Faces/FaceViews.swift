import Matting
import PixelTypes

/// The crops in which the detector looks for faces.
///
/// The short-range BlazeFace detects faces from a tenth of its picture's size. Crops are needed to
/// detect faces of people far away.
struct FaceViews {
  /// The whole frame.
  let whole: PixelRegion
  /// Overlapping squares that together cover the frame, the largest first.
  let squares: [PixelRegion]
  /// The number of squares that are as high or as wide as the frame.
  let largestSquares: Int

  /// The overlap of squares as a share of their side: any face of this size is inside one of them.
  private static let overlap = 0.25
  /// The minimum side: smaller squares would show no more details than the larger ones.
  private static let minSide = FaceAnchors.inputSize
  /// The side of the square around a tracked face, in sides of the face.
  ///
  /// Smaller squares make its position less exact, and larger ones lose small faces.
  private static let followed: Float = 3.5
  /// The maximum number of squares.
  ///
  /// A frame that needs more squares is longer than any camera's. Its ends are not searched.
  private static let maxSquares = 64

  init(format: FrameFormat) {
    whole = PixelRegion(wholeOf: format)
    let side = min(format.width, format.height)
    // The crop of the whole frame covers a square frame.
    let largest = format.width == format.height ? [] : Self.squares(ofSide: side, in: whole)
    let smaller = side / 2 < Self.minSide ? [] : Self.squares(ofSide: side / 2, in: whole)
    squares = Array((largest + smaller).prefix(Self.maxSquares))
    largestSquares = min(largest.count, squares.count)
  }

  /// Returns the square for a close look at a face.
  ///
  /// It reaches beyond the frame if the face or its surroundings do: the network misses most faces
  /// that the border of its picture cuts off.
  func square(around box: FaceBox) -> PixelRegion {
    let size = max(box.width, box.height)
    let side = Int(min(max(size * Self.followed, 1), Float(min(whole.width, whole.height))))
    let half = Float(side) / 2
    func first(_ center: Float, _ extent: Int) -> Int {
      // At most half of the square is beyond the frame. At least the size of the face is inside on
      // each side of its middle.
      let minStart = max(min(center - size, 0), -half)
      let end = min(max(center + size, Float(extent)), Float(extent) + half)
      return Int(min(max(center - half, minStart), end - Float(side)))
    }
    return PixelRegion(
      x: first(box.center.x, whole.width), y: first(box.center.y, whole.height), width: side,
      height: side)
  }

  /// Whether a face extends beyond a crop of the frame, so that its box is a guess.
  func cutsOff(_ box: FaceBox, _ view: PixelRegion) -> Bool {
    let slack = box.width * 0.1
    return view.x > 0 && box.x < Float(view.x) - slack
      || view.y > 0 && box.y < Float(view.y) - slack
      || view.endX < whole.endX && box.endX > Float(view.endX) + slack
      || view.endY < whole.endY && box.endY > Float(view.endY) + slack
  }

  private static func squares(ofSide side: Int, in whole: PixelRegion) -> [PixelRegion] {
    func starts(_ extent: Int) -> [Int] {
      let maxStep = max(Double(side) * (1 - overlap), 1)
      let steps = Int((Double(extent - side) / maxStep).rounded(.up))
      guard steps > 0 else { return [0] }
      return (0...steps).map { (extent - side) * $0 / steps }
    }
    let columns = starts(whole.width)
    return starts(whole.height).flatMap { y in
      columns.map { PixelRegion(x: $0, y: y, width: side, height: side) }
    }
  }
}
