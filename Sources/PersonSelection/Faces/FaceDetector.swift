import InferenceTypes
import Matting
import PixelTypes

/// Finds the faces in one frame after the other.
///
/// A face that was found is looked at closely where it was; the rest of the frame is searched a few
/// views at a time, so that a small face is found within some frames. In steady state nothing
/// is allocated here, as long as the caller keeps no earlier result. Used on one thread at a time.
public final class FaceDetector {
  /// How many views the network has run on.
  public private(set) var inferences = 0

  private let network: any FaceNetwork
  private let kernels: any RowKernels.Type
  private var decoder = FaceDecoder()
  private var stream: Stream?
  /// The faces that were found, which are looked for in the next frame.
  private var followed: [FollowedFace] = []
  /// The faces of this frame, with the network's boxes.
  private var faces: [Face] = []
  private var result: [Face] = []
  private var proposals: [Face] = []
  /// Which square is searched next; the whole frame comes before the first one.
  private var nextSearch = 0

  /// What depends on the frames' size and colours.
  private struct Stream {
    let format: FrameFormat
    let views: FaceViews
    let whole: ViewPreparation
    let squares: ViewPreparation
  }

  /// A face that is followed.
  private struct FollowedFace {
    var face: Face
    /// For how many frames it has not been seen.
    var missed: Int
  }

  /// Which scores count.
  private enum Threshold {
    /// For a proposal, which is confirmed by a closer view.
    static let proposal: Float = 0.4
    /// For a face that is new.
    ///
    /// A hand was seen to score 0.7, and a face in a close view no less than 0.73.
    static let new: Float = 0.75
    /// For one that was there before, and may turn away now.
    static let followed: Float = 0.5
  }

  /// A box of which more than this lies in another is a part of the same face.
  private static let partOfFace: Float = 0.75
  /// Faces that are followed at the same time; in a frame with more the others are not found.
  private static let mostFaces = 32
  /// A face is looked for where it was for so many frames.
  private static let patience = 8
  /// Proposals that are confirmed in a frame; the others come again in the next one.
  private static let mostConfirmations = 4
  /// Views that are searched in a frame, beside the faces that are followed.
  private static let searches = (withFaces: 1, withoutFaces: 3)
  /// Squares that are searched in the first frame.
  private static let mostSquaresAtOnce = 8

  /// Makes a detector that works with the given network and kernels.
  public init(network: any FaceNetwork, kernels: any RowKernels.Type) {
    self.network = network
    self.kernels = kernels
    followed.reserveCapacity(Self.mostFaces)
    faces.reserveCapacity(Self.mostFaces)
    result.reserveCapacity(Self.mostFaces)
    proposals.reserveCapacity(FaceAnchors.count)
  }

  /// Forgets where faces were: at a cut, a seek and wherever the next frame is another scene's.
  public func reset() {
    followed.removeAll(keepingCapacity: true)
    nextSearch = 0
  }

  /// The faces in a frame of `format`, in no order that would stay from frame to frame.
  ///
  /// Boxes and keypoints are in pixels of the frame, and may lie beyond its edges. For pictures other
  /// than NV12 make an NV12 one first; it may well be smaller, as long as its shorter side has 256
  /// pixels or more.
  ///
  /// Throws `SegmentationError` when the frame is no such frame, and when an inference fails.
  public func detect(
    in frame: Frame, format: FrameFormat
  ) throws(SegmentationError) -> [Face] {
    try check(frame, format)
    let stream = stream(for: format)
    faces.removeAll(keepingCapacity: true)
    proposals.removeAll(keepingCapacity: true)
    try follow(frame, stream)
    try search(frame, stream)
    try confirm(frame, stream)
    remember()
    result.removeAll(keepingCapacity: true)
    for face in faces { result.append(face.whole) }
    return result
  }

  // MARK: - Steps

  /// Looks closely where faces were.
  private func follow(_ frame: Frame, _ stream: Stream) throws(SegmentationError) {
    for index in followed.indices where !isKnown(followed[index].face.box) {
      let view = stream.views.square(around: followed[index].face.box)
      try run(on: view, of: frame, stream, threshold: Threshold.followed)
      for face in decoder.faces {
        // What is new here, or half in view, has to pass as any proposal.
        let box = followed[index].face.box
        if face.box.overlap(box) > 0.1 && !stream.views.cutsOff(face.box, view) {
          add(face)
        } else {
          proposals.append(face)
        }
      }
    }
  }

  /// Looks over parts of the frame by turns; over all of it, coarsely, for the first time.
  private func search(_ frame: Frame, _ stream: Stream) throws(SegmentationError) {
    let views = stream.views
    var count = faces.isEmpty ? Self.searches.withoutFaces : Self.searches.withFaces
    if followed.isEmpty, nextSearch == 0 {
      count = max(count, 1 + min(views.largestSquares, Self.mostSquaresAtOnce))
    }
    for _ in 0..<min(count, 1 + views.squares.count) {
      let view = nextSearch == 0 ? views.whole : views.squares[nextSearch - 1]
      nextSearch = (nextSearch + 1) % (1 + views.squares.count)
      try run(on: view, of: frame, stream, threshold: Threshold.proposal)
      proposals += decoder.faces
    }
  }

  /// Looks closely where something was seen that may be a face.
  private func confirm(_ frame: Frame, _ stream: Stream) throws(SegmentationError) {
    var confirmations = 0
    for proposal in proposals where !isKnown(proposal.box) {
      guard confirmations < Self.mostConfirmations else { return }
      confirmations += 1
      let view = stream.views.square(around: proposal.box)
      try run(on: view, of: frame, stream, threshold: Threshold.new)
      for face in decoder.faces where !stream.views.cutsOff(face.box, view) { add(face) }
    }
  }

  /// Keeps in mind what was found, and what was lost only just now.
  private func remember() {
    var kept = 0
    for index in followed.indices {
      var candidate = followed[index]
      candidate.missed += 1
      if candidate.missed <= Self.patience, faces.count + kept < Self.mostFaces,
        !isKnown(candidate.face.box)
      {
        followed[kept] = candidate
        kept += 1
      }
    }
    followed.removeLast(followed.count - kept)
    for face in faces { followed.append(FollowedFace(face: face, missed: 0)) }
  }

  // MARK: - One view

  /// Runs the network on a part of the frame; `decoder.faces` are then in pixels of the frame.
  private func run(
    on view: PixelRegion, of frame: Frame, _ stream: Stream, threshold: Float
  ) throws(SegmentationError) {
    let preparation = view == stream.views.whole ? stream.whole : stream.squares
    unsafe preparation.fill(network.inputTensor, with: view, of: frame)
    inferences += 1
    let region = preparation.region
    decoder.decode(try network.infer(), threshold: threshold)
    let scaleX = Float(view.width) / Float(region.width)
    let scaleY = Float(view.height) / Float(region.height)
    decoder.place(
      scaleX: scaleX, scaleY: scaleY, x: Float(view.x) - Float(region.x) * scaleX,
      y: Float(view.y) - Float(region.y) * scaleY)
  }

  /// Whether a face with this box was found in this frame already.
  private func isKnown(_ box: FaceBox) -> Bool {
    // A small box within a larger one is a part of that face; of the box of somebody half hidden
    // behind a larger face less lies within.
    faces.contains {
      $0.box.overlap(box) > FaceDecoder.sameFace || $0.box.coverage(box) > Self.partOfFace
    }
  }

  private func add(_ face: Face) {
    if faces.count < Self.mostFaces, !isKnown(face.box) { faces.append(face) }
  }

  // MARK: - Frames

  private func stream(for format: FrameFormat) -> Stream {
    if let stream, stream.format == format { return stream }
    reset()
    func preparation(_ fit: TensorFormat.Fit) -> ViewPreparation {
      ViewPreparation(
        format: format, tensor: FaceAnchors.inputFormat(fit), kernels: kernels)
    }
    let new = Stream(
      format: format, views: FaceViews(format: format), whole: preparation(.letterbox),
      squares: preparation(.stretch))
    stream = new
    return new
  }

  private func check(_ frame: Frame, _ format: FrameFormat) throws(SegmentationError) {
    func holds(_ plane: Plane, _ width: Int, _ height: Int) -> Bool {
      plane.width >= width && plane.height >= height && plane.stride >= width
    }
    guard 16...8192 ~= format.width, 16...8192 ~= format.height,
      holds(frame.luma, format.width, format.height),
      holds(frame.chroma, 2 * format.chromaWidth, format.chromaHeight)
    else {
      throw SegmentationError(
        .inferenceFailed,
        "no faces are looked for in a frame of \(format.width)x\(format.height): expected NV12 of "
          + "16x16 to 8192x8192 with planes of that size")
    }
  }
}
