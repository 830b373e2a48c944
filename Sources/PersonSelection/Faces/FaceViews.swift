import InferenceTypes
import PixelTypes

/// Which parts of a frame are looked at: BlazeFace for short range sees faces of a tenth of its
/// picture and more, so those of people far away are seen in parts of the frame only.
struct FaceViews {
  /// The whole frame.
  let whole: PixelRegion
  /// Overlapping squares that cover the frame together, the largest first.
  let squares: [PixelRegion]
  /// How many of the squares are as high or as wide as the frame.
  let largestSquares: Int

  /// Squares overlap by this share of their side: a face of this size lies wholly in one of them.
  private static let overlap = 0.25
  /// Smaller squares would show no more than the larger ones.
  private static let leastSide = FaceAnchors.inputSize
  /// Sides of the square around a face that is followed, in those of the face.
  ///
  /// In smaller ones its position is found less exactly, in larger ones small faces are lost.
  private static let followed: Float = 3.5
  /// What is seen around a face on each side of its middle at least, in sides of the face.
  private static let surroundings: Float = 1
  /// Frames with sides that differ more than this are no camera's: their ends are not looked at.
  private static let mostSquares = 64

  init(format: FrameFormat) {
    whole = PixelRegion(wholeOf: format)
    let side = min(format.width, format.height)
    // A square frame is looked at as a whole.
    let largest = format.width == format.height ? [] : Self.squares(ofSide: side, in: whole)
    let smaller = side / 2 < Self.leastSide ? [] : Self.squares(ofSide: side / 2, in: whole)
    squares = Array((largest + smaller).prefix(Self.mostSquares))
    largestSquares = min(largest.count, squares.count)
  }

  /// The square in which a face is looked at closely.
  ///
  /// It reaches beyond the frame where the face or what is close to it does: the network misses most
  /// faces that the border of its picture cuts off.
  func square(around box: FaceBox) -> PixelRegion {
    let size = max(box.width, box.height)
    let side = Int(min(max(size * Self.followed, 1), Float(min(whole.width, whole.height))))
    let half = Float(side) / 2
    func first(_ center: Float, _ extent: Int) -> Int {
      // Half of it at most is beyond.
      let least = max(min(center - size * Self.surroundings, 0), -half)
      let end = min(max(center + size * Self.surroundings, Float(extent)), Float(extent) + half)
      return Int(min(max(center - half, least), end - Float(side)))
    }
    return PixelRegion(
      x: first(box.center.x, whole.width), y: first(box.center.y, whole.height), width: side,
      height: side)
  }

  /// Whether a face goes on beyond a part of the frame, so that its box there is a guess.
  func cutsOff(_ box: FaceBox, _ view: PixelRegion) -> Bool {
    let slack = box.width * 0.1
    return view.x > 0 && box.x < Float(view.x) - slack
      || view.y > 0 && box.y < Float(view.y) - slack
      || view.endX < whole.endX && box.endX > Float(view.endX) + slack
      || view.endY < whole.endY && box.endY > Float(view.endY) + slack
  }

  private static func squares(ofSide side: Int, in whole: PixelRegion) -> [PixelRegion] {
    func starts(_ extent: Int) -> [Int] {
      let greatestStep = max(Double(side) * (1 - overlap), 1)
      let steps = Int((Double(extent - side) / greatestStep).rounded(.up))
      guard steps > 0 else { return [0] }
      return (0...steps).map { (extent - side) * $0 / steps }
    }
    let columns = starts(whole.width)
    return starts(whole.height).flatMap { y in
      columns.map { PixelRegion(x: $0, y: y, width: side, height: side) }
    }
  }
}
