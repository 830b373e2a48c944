import InferenceTypes
import PixelTypes
import VirtualBackground

/// Finds the face of somebody who is half hidden behind another, which BlazeFace does not see.
///
/// O-Net judges patches beside the faces that were found, where the matte shows somebody: at places that
/// do not change, then around what looks a little like a face, and at last where a face was found, a few
/// patches a frame. A hand may look like half a face for a moment: so several frames have to agree. One
/// such face is followed at a time. In steady state nothing is allocated. Used on one thread at a time.
public final class HalfHiddenFaces {
  /// How many patches the network has judged.
  public private(set) var inferences = 0

  private let network: any FacePatchNetwork
  private let kernels: any RowKernels.Type
  private var stream: (format: FrameFormat, preparation: ViewPreparation)?
  private var followed: FollowedFace?
  /// What may be a face; around it the network is surer, or not.
  private var candidate: Candidate?
  /// Which place beside which face is looked at next.
  private var nextPlace = 0
  /// Whether nobody was shown in the patch of a turn when it was last asked for.
  private var isNew = Array(repeating: true, count: mostFaces * places.count)

  /// A square part of the frame.
  struct Patch {
    var center: FacePoint
    var side: Float

    var box: FaceBox { FaceBox(center: center, width: side, height: side) }
  }

  /// What the network sees in a patch.
  private struct Sight {
    let patch: Patch
    let box: FaceBox
    let score: Float
    /// Whether a part of the patch is a mirror image.
    let isMirrored: Bool

    /// Whether this is surely a face that is new.
    var isSure: Bool {
      score >= (isMirrored ? Threshold.newMirrored : Threshold.new)
    }
  }

  /// What may be a face, where the network is surest of it up to now.
  private struct Candidate {
    var best: Sight
    /// Which patch around it is looked at next.
    var next = 0
  }

  /// A face that is followed.
  private struct FollowedFace {
    var patch: Patch
    var box: FaceBox
    var score: Float
    /// From the patch's middle to the face's, as it was first, in sides of the patch.
    ///
    /// The patch moves so that this stays: the network's boxes creep away from half a face.
    let offset: FacePoint
    /// In how many frames it was seen.
    var looks = 1
    /// For how many frames it has not been seen.
    var missed = 0

    init(_ sight: Sight) {
      (patch, box, score) = (sight.patch, sight.box, sight.score)
      offset = FacePoint(
        x: (box.center.x - patch.center.x) / patch.side,
        y: (box.center.y - patch.center.y) / patch.side)
    }
  }

  /// Which scores count.
  ///
  /// Of hands and hair beside a head, in hundreds of pictures of people alone, the surest scored 0.956;
  /// of half faces that scored 0.97 none had less than 0.8 in the frames after it.
  private enum Threshold {
    /// For a place around which it is worth looking.
    static let candidate: Float = 0.5
    /// For a face that is new.
    static let new: Float = 0.97
    /// The same at the frame's edge: a shoulder with its mirror image scored 0.974.
    static let newMirrored: Float = 0.985
    /// For the frames after it.
    static let confirming: Float = 0.8
    /// For one that several frames have shown.
    static let followed: Float = 0.5
  }

  /// Half a face is looked for beside so many.
  private static let mostFaces = 4
  /// A face is one when so many frames in a row show it.
  private static let leastLooks = 4
  /// A face is looked for where it was for so many frames.
  private static let patience = 8
  /// Boxes that share more of the smaller one than this are those of one face.
  private static let sameFace: Float = 0.6
  /// Patches of which more than this lies in a face show that one.
  private static let partOfFace: Float = 0.5

  /// Where half a face may be: from the middle of the other one, in sides of a square as large as that.
  private static let reach = (across: Float(1.4), above: Float(-0.6), below: Float(0.5))
  /// How large it may be, in such sides.
  private static let sizes: ClosedRange<Float> = 0.35...1.1
  /// Faces with other extents are none: in sides of the patch.
  private static let extents: ClosedRange<Float> = 0.2...2

  /// The patches that are looked at, around a face at 0, 0 with a side of 1: at distances at which the
  /// network sees half a face in one of them.
  static let places: [Patch] = [Float(0.55), 0.75].flatMap { side in
    let step = 0.35 * side
    return stride(from: Float(0.45), to: 1.41, by: step).flatMap { x in
      stride(from: Float(-0.45), to: 0.46, by: step).flatMap { y in
        [-x, x].map { Patch(center: FacePoint(x: $0, y: y), side: side) }
      }
    }
  }
  /// How far apart the places are that follow each other: so that all have their turn, and neighbours
  /// none after the other.
  static let step = 37
  /// The patches around one at 0, 0 with a side of 1 in which the network may be surer.
  private static let neighbours =
    [(-0.15, 0, 1), (0.15, 0, 1), (0, -0.15, 1), (0, 0.15, 1), (0, 0, 0.83), (0, 0, 1.2)].map {
      (x: Float, y: Float, side: Float) in Patch(center: FacePoint(x: x, y: y), side: side)
    }
  /// A patch with fewer pixels on a side shows no face well enough.
  private static let leastSide: Float = 16

  /// Makes one that works with the given network and kernels.
  public init(network: any FacePatchNetwork, kernels: any RowKernels.Type) {
    self.network = network
    self.kernels = kernels
  }

  /// Forgets the face: at a cut, a seek and wherever the next frame is another scene's.
  func forget() {
    followed = nil
    candidate = nil
    nextPlace = 0
    for turn in isNew.indices { isNew[turn] = true }
  }

  /// The face that is half hidden behind one of `faces`, which were found in this frame of `format`; nil
  /// while there is none.
  ///
  /// Looks at so many patches at most while none is followed, and nowhere but where `isShown`, which
  /// takes a column and a row of the frame. Nothing is looked at while there are no `faces`.
  ///
  /// Throws `SegmentationError` when an inference fails.
  func find(
    in frame: Frame, format: FrameFormat, beside faces: [Face], looks: Int = 1,
    isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) -> Face? {
    let preparation = preparation(for: format)
    if let box = followed?.box, isKnown(box, among: faces) { followed = nil }
    if let followed {
      self.followed = nil
      self.followed =
        faces.isEmpty ? Self.missed(followed) : try look(for: followed, in: frame, preparation)
      if let box = self.followed?.box, isKnown(box, among: faces) { self.followed = nil }
    } else if faces.isEmpty {
      candidate = nil
    } else {
      try search(frame, preparation, beside: faces, looks: looks, isShown: isShown)
    }
    guard let followed, followed.looks >= Self.leastLooks, followed.missed == 0
    else { return nil }
    let middle = followed.box.center
    return Face(
      box: followed.box,
      keypoints: FaceKeypoints(
        rightEye: middle, leftEye: middle, noseTip: middle, mouth: middle, rightEar: middle,
        leftEar: middle),
      score: followed.score)
  }

  // MARK: - Steps

  /// Looks where the face was in the frame before.
  private func look(
    for face: FollowedFace, in frame: Frame, _ preparation: ViewPreparation
  ) throws(SegmentationError) -> FollowedFace? {
    let isNew = face.looks < Self.leastLooks
    let threshold = isNew ? Threshold.confirming : Threshold.followed
    guard let sight = try judge(face.patch, of: frame, preparation), sight.score >= threshold
    else { return isNew ? nil : Self.missed(face) }
    var face = face
    (face.box, face.score) = (sight.box, sight.score)
    face.patch.center.x = sight.box.center.x - face.offset.x * face.patch.side
    face.patch.center.y = sight.box.center.y - face.offset.y * face.patch.side
    face.looks = min(face.looks + 1, Self.leastLooks)
    face.missed = 0
    return face
  }

  /// What is left of a face that a frame does not show.
  private static func missed(_ face: FollowedFace) -> FollowedFace? {
    var face = face
    face.missed += 1
    return face.looks < leastLooks || face.missed > patience ? nil : face
  }

  /// Looks at places by turns, and around what may be a face; each place has one turn at most.
  private func search(
    _ frame: Frame, _ preparation: ViewPreparation, beside faces: [Face], looks: Int,
    isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) {
    var turns = min(faces.count, Self.mostFaces) * Self.places.count
    for _ in 0..<looks {
      if let candidate {
        let patch = Self.neighbours[candidate.next].placed(at: candidate.best.patch)
        let sight = try judge(patch, of: frame, preparation)
        if let sight, sight.score > candidate.best.score {
          self.candidate = Candidate(best: sight)
        } else {
          let isLast = candidate.next == Self.neighbours.count - 1
          self.candidate = isLast ? nil : Candidate(best: candidate.best, next: candidate.next + 1)
        }
      } else {
        guard let patch = nextPatch(beside: faces, &turns, isShown: isShown) else { return }
        let sight = try judge(patch, of: frame, preparation)
        if let sight, sight.score >= Threshold.candidate { candidate = Candidate(best: sight) }
      }
      guard let best = candidate?.best, best.isSure else { continue }
      candidate = nil
      if isBeside(faces, best.box), !isKnown(best.box, among: faces) {
        followed = FollowedFace(best)
        return
      }
    }
  }

  /// The next patch in which somebody is shown who may be half hidden; `turns` is what is left of one
  /// round.
  ///
  /// Places at which somebody was not shown before come first: a newcomer is not shown for long.
  private func nextPatch(
    beside faces: [Face], _ turns: inout Int, isShown: (Double, Double) -> Bool
  ) -> Patch? {
    let count = min(faces.count, Self.mostFaces) * Self.places.count
    var next: (turn: Int, patch: Patch)?
    for i in 0..<count where turns > 0 {
      let turn = (nextPlace + i) % count
      guard let patch = patch(turn, beside: faces, isShown: isShown) else {
        isNew[turn] = true
        continue
      }
      if next.map({ isNew[turn] && !isNew[$0.turn] }) ?? true { next = (turn, patch) }
    }
    guard let next else { return nil }
    turns -= 1
    if !isNew[next.turn] { nextPlace = next.turn + 1 }
    isNew[next.turn] = false
    return next.patch
  }

  /// The patch of a turn; nil where nobody is shown who may be half hidden.
  private func patch(
    _ turn: Int, beside faces: [Face], isShown: (Double, Double) -> Bool
  ) -> Patch? {
    let count = min(faces.count, Self.mostFaces)
    let face = faces[turn % count].box
    let place = Self.places[turn / count * Self.step % Self.places.count]
    let patch = place.placed(at: Patch(center: face.center, side: face.side))
    guard isShown(Double(face.center.x), Double(face.center.y)),
      isShown(Double(patch.center.x), Double(patch.center.y)),
      !faces.contains(where: { $0.box.coverage(patch.box) > Self.partOfFace })
    else { return nil }
    return patch
  }

  /// Where the network sees a face in a patch, in pixels of the frame, and how sure it is.
  private func judge(
    _ patch: Patch, of frame: Frame, _ preparation: ViewPreparation
  ) throws(SegmentationError) -> Sight? {
    guard let format = stream?.format else { return nil }
    let (width, height) = (Float(format.width), Float(format.height))
    guard 0..<width ~= patch.center.x, 0..<height ~= patch.center.y,
      Self.leastSide...max(Self.leastSide, min(width, height)) ~= patch.side
    else { return nil }
    let side = patch.side.rounded()
    let x = (patch.center.x - side / 2).rounded()
    let y = (patch.center.y - side / 2).rounded()
    unsafe preparation.fill(
      network.inputTensor,
      with: PixelRegion(x: Int(x), y: Int(y), width: Int(side), height: Int(side)), of: frame)
    // Half a face at the frame's edge is whole with its mirror image.
    let columns = Float(FacePatch.inputSize) / side
    unsafe FacePatch.mirror(
      network.inputTensor, before: Int((-x * columns).rounded()),
      from: Int(((width - x) * columns).rounded()))
    inferences += 1
    let seen = try network.judge()
    let box = FaceBox(
      center: FacePoint(
        x: x + (seen.left + seen.right) / 2 * side, y: y + (seen.top + seen.bottom) / 2 * side),
      width: (seen.right - seen.left) * side, height: (seen.bottom - seen.top) * side)
    guard Self.extents.contains(box.width / side), Self.extents.contains(box.height / side),
      patch.box.intersection(box) > 0
    else { return nil }
    return Sight(
      patch: patch, box: box, score: seen.score, isMirrored: x < 0 || x + side > width)
  }

  /// Whether a box is that of a face that was found by itself.
  private func isKnown(_ box: FaceBox, among faces: [Face]) -> Bool {
    faces.contains { $0.box.coverage(box) > Self.sameFace }
  }

  private func isBeside(_ faces: [Face], _ box: FaceBox) -> Bool {
    faces.contains {
      let face = $0.box
      let x = (box.center.x - face.center.x) / face.side
      let y = (box.center.y - face.center.y) / face.side
      return abs(x) <= Self.reach.across && Self.reach.above...Self.reach.below ~= y
        && Self.sizes.contains(box.side / face.side)
    }
  }

  private func preparation(for format: FrameFormat) -> ViewPreparation {
    if let stream, stream.format == format { return stream.preparation }
    forget()
    let new = ViewPreparation(format: format, tensor: Self.inputFormat, kernels: kernels)
    stream = (format, new)
    return new
  }

  private static let inputFormat = TensorFormat(
    width: FacePatch.inputSize, height: FacePatch.inputSize, layout: .planar, fit: .stretch,
    range: SampleRange(low: -127.5 / 128, high: 127.5 / 128))
}

extension FaceBox {
  /// That of a square as large as the box.
  fileprivate var side: Float { (max(width, 0) * max(height, 0)).squareRoot() }
}

extension HalfHiddenFaces.Patch {
  /// The same patch where another one, or a face, is what lies at 0, 0 with a side of 1.
  fileprivate func placed(at other: Self) -> Self {
    Self(
      center: FacePoint(
        x: other.center.x + center.x * other.side, y: other.center.y + center.y * other.side),
      side: side * other.side)
  }
}
