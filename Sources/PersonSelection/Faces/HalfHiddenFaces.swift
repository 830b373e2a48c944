import InferenceTypes
import Matting
import PixelTypes

/// Finds the faces of people who are half hidden behind others, which BlazeFace does not see.
///
/// CenterFace looks at what is around a face that was found, where the matte shows somebody, and then
/// closely at what may be another: both have to show it. It is looked at closely in the frames after
/// that too. In steady state nothing is allocated, as long as the caller keeps no earlier result. Used
/// on one thread at a time.
public final class HalfHiddenFaces {
  /// How many views the network has run on.
  public private(set) var inferences = 0

  private let network: any FaceMapNetwork
  private let kernels: any RowKernels.Type
  private var stream: (format: FrameFormat, preparation: ViewPreparation)?
  private var decoder = FaceMapDecoder()
  private var followed: [FollowedFace] = []
  private var proposals: [FaceBox] = []
  private var result: [Face] = []
  /// Around which of the faces is looked next.
  private var nextFace = 0

  /// A face that is followed.
  private struct FollowedFace {
    var box: FaceBox
    /// What is seen of it beside those before it.
    var visible: FaceBox
    var score: Float
    /// For how many frames it has not been seen.
    var missed = 0
  }

  /// Which scores count.
  ///
  /// In 341 pictures of people alone nothing that was looked at closely scored 0.1.
  private enum Threshold {
    /// For what is worth a close look.
    static let proposal: Float = 0.1
    /// For a face that is new.
    static let new: Float = 0.2
    /// For one that was there before.
    static let followed: Float = 0.15
  }

  /// So many are followed at the same time.
  private static let mostFaces = 4
  /// So many are new in one look.
  private static let mostConfirmations = 2
  /// A face is looked for where it was for so many frames.
  private static let patience = 8
  /// A box of which more than this lies in another is a part of the same face.
  private static let partOfFace: Float = 0.6
  /// So much of a face is seen at least.
  private static let leastVisible: Float = 0.25
  /// Boxes of two networks that overlap more than this are the same face's.
  private static let sameFaceOfBoth: Float = 0.4

  /// The height of a view, in those of the face in its middle.
  ///
  /// In higher ones half faces are lost, in lower ones those that are farther away.
  private static let viewHeight: Float = 1.7
  /// Where half a face may be: from the middle of the other one, in sides of a square as large as that.
  private static let reach = (across: Float(1.5), above: Float(-0.7), below: Float(0.65))
  /// How large it may be, in such sides.
  private static let sizes: ClosedRange<Float> = 0.3...1.3
  /// Faces of fewer rows, or of more than this, are not looked at.
  private static let heights: ClosedRange<Float> = 16...16384

  /// Makes one that works with the given network and kernels.
  public init(network: any FaceMapNetwork, kernels: any RowKernels.Type) {
    self.network = network
    self.kernels = kernels
    followed.reserveCapacity(Self.mostFaces)
    result.reserveCapacity(Self.mostFaces)
    proposals.reserveCapacity(FaceMaps.cells)
  }

  /// Forgets the faces: at a cut, a seek and wherever the next frame is another scene's.
  package func reset() {
    followed.removeAll(keepingCapacity: true)
    nextFace = 0
  }

  /// The faces that are half hidden behind `faces`, which were found in this frame of `format`.
  ///
  /// Looks around so many of these by turns, at most. Faces where nothing is shown are nobody's: `isShown`
  /// takes a column and a row of the frame.
  ///
  /// Throws `SegmentationError` when an inference fails.
  package func find(
    in frame: Frame, format: FrameFormat, behind faces: [Face], looks: Int,
    isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) -> [Face] {
    let preparation = preparation(for: format)
    try follow(frame, preparation, faces)
    var looksLeft = min(looks, Self.mostFaces)
    for _ in faces.indices where looksLeft > 0 {
      let face = faces[nextFace % faces.count].box
      nextFace = (nextFace + 1) % faces.count
      guard isShown(Double(face.center.x), Double(face.center.y)) else { continue }
      try search(around: face, in: frame, preparation, faces, isShown)
      looksLeft -= 1
    }
    result.removeAll(keepingCapacity: true)
    for face in followed where face.missed == 0 {
      let middle = face.visible.center
      result.append(
        Face(
          box: face.visible,
          keypoints: FaceKeypoints(
            rightEye: middle, leftEye: middle, noseTip: middle, mouth: middle, rightEar: middle,
            leftEar: middle),
          score: face.score))
    }
    return result
  }

  // MARK: - Steps

  /// Looks closely where faces were.
  private func follow(
    _ frame: Frame, _ preparation: ViewPreparation, _ faces: [Face]
  ) throws(SegmentationError) {
    var kept = 0
    for index in followed.indices {
      var face = followed[index]
      guard !faces.contains(where: { $0.box.overlap(face.box) > Self.sameFaceOfBoth }),
        !isFollowed(face.box, in: 0..<kept)
      else { continue }
      if let new = try look(at: face.box, in: frame, preparation, threshold: Threshold.followed),
        !isKnown(new.box, among: faces), !isFollowed(new.box, in: 0..<kept)
      {
        face = FollowedFace(
          box: new.box, visible: visible(new.box, beside: faces), score: new.score)
      } else {
        face.missed += 1
      }
      guard face.missed <= Self.patience else { continue }
      followed[kept] = face
      kept += 1
    }
    followed.removeLast(followed.count - kept)
  }

  /// Looks around a face, and closely at what may be another.
  private func search(
    around face: FaceBox, in frame: Frame, _ preparation: ViewPreparation, _ faces: [Face],
    _ isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) {
    guard try look(around: face, in: frame, preparation, threshold: Threshold.proposal)
    else { return }
    proposals.removeAll(keepingCapacity: true)
    for seen in decoder.seen where Self.isBeside(face, seen.box) && isNew(seen.box, faces) {
      let middle = visible(seen.box, beside: faces).center
      if isShown(Double(middle.x), Double(middle.y)) { proposals.append(seen.box) }
    }
    for box in proposals.prefix(Self.mostConfirmations) {
      if let new = try look(at: box, in: frame, preparation, threshold: Threshold.new),
        isNew(new.box, faces)
      {
        followed.append(
          FollowedFace(box: new.box, visible: visible(new.box, beside: faces), score: new.score))
      }
    }
  }

  /// Looks closely at a face; the one that is seen there.
  private func look(
    at box: FaceBox, in frame: Frame, _ preparation: ViewPreparation, threshold: Float
  ) throws(SegmentationError) -> FaceMapDecoder.SeenBox? {
    guard try look(around: box, in: frame, preparation, threshold: threshold) else { return nil }
    let seen = decoder.seen.max { $0.box.overlap(box) < $1.box.overlap(box) }
    return seen.flatMap { $0.box.overlap(box) > FaceDecoder.sameFace ? $0 : nil }
  }

  /// Fills `decoder.seen` with what the network sees around a face, in pixels of the frame.
  ///
  /// False where there is nothing to look at.
  private func look(
    around box: FaceBox, in frame: Frame, _ preparation: ViewPreparation, threshold: Float
  ) throws(SegmentationError) -> Bool {
    guard let format = stream?.format, Self.heights.contains(box.height),
      0..<Float(format.width) ~= box.center.x, 0..<Float(format.height) ~= box.center.y
    else { return false }
    let height = (box.height * Self.viewHeight).rounded()
    let width = (height * Float(FaceMaps.input.width) / Float(FaceMaps.input.height)).rounded()
    // Within the frame from top to bottom, or all of it with as much on both sides.
    let room = Float(format.height) - height
    let y = room > 0 ? min(max(box.center.y - height / 2, 0), room) : room / 2
    let view = PixelRegion(
      x: Int(box.center.x - width / 2), y: Int(y), width: Int(width), height: Int(height))
    unsafe preparation.fill(network.inputTensor, with: view, of: frame)
    // Half a face at the frame's edge is seen where the edge is not repeated.
    let columns = Float(FaceMaps.input.width) / width
    unsafe FaceMaps.blacken(
      network.inputTensor, before: Int(Float(-view.x) * columns),
      from: Int(Float(format.width - view.x) * columns))
    inferences += 1
    decoder.decode(try network.infer(), of: view, threshold: threshold)
    return true
  }

  // MARK: - Boxes

  /// Whether what is seen is one of `faces`, or a part of it.
  private func isKnown(_ box: FaceBox, among faces: [Face]) -> Bool {
    faces.contains { seenBox(of: $0).coverage(box) > Self.partOfFace }
  }

  /// The box of a face as this network sees it, where it does: those of the other network may lie over
  /// half of what is beside the face.
  private func seenBox(of face: Face) -> FaceBox {
    let own = decoder.seen.max { face.box.overlap($0.box) < face.box.overlap($1.box) }?.box
    guard let own, face.box.overlap(own) > Self.sameFaceOfBoth else { return face.box }
    return own
  }

  /// The same box around the middle column of what is seen of a face beside those before it: the
  /// network's is around all of it.
  private func visible(_ box: FaceBox, beside faces: [Face]) -> FaceBox {
    let area = box.width * box.height
    // Pixels that are seen, and the sum of their distances from the middle.
    var (seen, sum) = (area, Float(0))
    for face in faces {
      let other = seenBox(of: face)
      let hidden = other.intersection(box)
      guard hidden > 0 else { continue }
      let middle = (max(other.x, box.x) + min(other.endX, box.endX)) / 2
      seen -= hidden
      sum += hidden * (box.center.x - middle)
    }
    let most = box.width * (1 - Self.leastVisible) / 2
    var result = box
    result.center.x += min(max(sum / max(seen, area * Self.leastVisible), -most), most)
    return result
  }

  private func isFollowed(_ box: FaceBox, in range: Range<Int>) -> Bool {
    range.contains { followed[$0].box.coverage(box) > Self.partOfFace }
  }

  /// Whether a box is that of no face of this frame, and one more can be followed.
  private func isNew(_ box: FaceBox, _ faces: [Face]) -> Bool {
    followed.count < Self.mostFaces && !isKnown(box, among: faces)
      && !isFollowed(box, in: followed.indices)
  }

  private static func isBeside(_ face: FaceBox, _ box: FaceBox) -> Bool {
    let x = (box.center.x - face.center.x) / face.side
    let y = (box.center.y - face.center.y) / face.side
    return abs(x) <= reach.across && reach.above...reach.below ~= y
      && sizes.contains(box.side / face.side)
  }

  private func preparation(for format: FrameFormat) -> ViewPreparation {
    if let stream, stream.format == format { return stream.preparation }
    reset()
    let new = ViewPreparation(format: format, tensor: Self.inputFormat, kernels: kernels)
    stream = (format, new)
    return new
  }

  private static let inputFormat = TensorFormat(
    width: FaceMaps.input.width, height: FaceMaps.input.height, layout: .planar, fit: .stretch,
    range: SampleRange(low: 0, high: 255))
}

extension FaceBox {
  /// That of a square as large as the box.
  fileprivate var side: Float { (max(width, 0) * max(height, 0)).squareRoot() }
}
