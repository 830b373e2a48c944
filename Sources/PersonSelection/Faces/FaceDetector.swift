import Matting
import PixelTypes

/// Detects the faces of consecutive frames.
///
/// A face that was detected before gets a close look at its position. The rest of the frame is
/// searched a few crops at a time, so a small face is found within some frames. In steady state
/// nothing is allocated if the caller keeps no earlier result. Not thread-safe.
public final class FaceDetector {
  /// The number of network inferences.
  public private(set) var inferences = 0

  private let network: any FaceNetwork
  private var decoder = FaceDecoder(count: FaceAnchors.count)
  private var stream: Stream?
  /// The faces to look for in the next frame.
  private var recent: [RecentFace] = []
  /// The faces of this frame, with the network's boxes.
  private var faces: [Face] = []
  private var result: [Face] = []
  private var proposals: [Face] = []
  /// The next crop to search: 0 is the whole frame, and the squares follow.
  private var nextSearch = 0

  /// The state that depends on the format of the frames.
  private struct Stream {
    let format: FrameFormat
    let views: FaceViews
    let whole: ViewPreparation
    let squares: ViewPreparation
  }

  /// A face of the last frames, at which the next frame is examined closely.
  private struct RecentFace {
    var face: Face
    /// The number of consecutive frames without a detection.
    var missed: Int
  }

  /// Minimum scores.
  private enum Threshold {
    /// For a proposal, which needs a close look.
    static let proposal: Float = 0.4
    /// For a new face.
    ///
    /// A hand has scored 0.7, and a face in a close look at least 0.73.
    static let new: Float = 0.75
    /// For a recent face, which may be turning away.
    static let recent: Float = 0.5
  }

  /// A box with more than this share inside another is a part of the same face.
  private static let partOfFace: Float = 0.75
  /// The maximum number of recent faces.
  ///
  /// The detector ignores further faces in a frame.
  static let maxFaces = 32
  /// The maximum number of consecutive misses for which a face is kept.
  static let maxMisses = 8
  /// The maximum number of close looks at proposals per frame.
  ///
  /// The other proposals return in the next frame.
  private static let maxConfirmations = 4
  /// The number of crops to search per frame, in addition to recent faces.
  private static let searches = (withFaces: 1, withoutFaces: 3)
  /// The maximum number of squares to search in the first frame.
  private static let maxSquaresAtOnce = 8

  /// Creates a detector that works with the given network.
  public init(network: any FaceNetwork) {
    self.network = network
    recent.reserveCapacity(Self.maxFaces)
    faces.reserveCapacity(Self.maxFaces)
    result.reserveCapacity(Self.maxFaces)
    proposals.reserveCapacity(FaceAnchors.count)
  }

  /// Forgets all faces: at a cut, at a seek, or if the next frame shows another scene.
  public func reset() {
    recent.removeAll(keepingCapacity: true)
    nextSearch = 0
  }

  /// Returns the faces in a frame of `format`, in an order that may change.
  ///
  /// Boxes and keypoints are in pixels of the frame and may be beyond its edges. Convert other
  /// pictures to NV12 first. The NV12 picture may be smaller, but its shorter side needs at least
  /// 256 pixels.
  ///
  /// Throws `SegmentationError` if the frame does not have `format`, or if an inference fails.
  public func detect(in frame: Frame, format: FrameFormat) throws(SegmentationError) -> [Face] {
    try check(frame, format)
    let stream = stream(for: format)
    faces.removeAll(keepingCapacity: true)
    proposals.removeAll(keepingCapacity: true)
    try lookAgain(frame, stream)
    try search(frame, stream)
    try confirm(frame, stream)
    updateRecent()
    result.removeAll(keepingCapacity: true)
    for face in faces { result.append(face.whole) }
    return result
  }

  // MARK: - Steps

  /// Looks closely at the places of recent faces.
  private func lookAgain(_ frame: Frame, _ stream: Stream) throws(SegmentationError) {
    for index in recent.indices where !isKnown(recent[index].face.box) {
      let view = stream.views.square(around: recent[index].face.box)
      try run(on: view, of: frame, stream, threshold: Threshold.recent)
      for face in decoder.faces {
        // A new face, or one that the crop cuts off, must pass as a proposal.
        let box = recent[index].face.box
        if face.box.overlap(box) > 0.1 && !stream.views.cutsOff(face.box, view) {
          add(face)
        } else {
          proposals.append(face)
        }
      }
    }
  }

  /// Searches the next crops.
  ///
  /// The first search covers the whole frame coarsely.
  private func search(_ frame: Frame, _ stream: Stream) throws(SegmentationError) {
    let views = stream.views
    var count = faces.isEmpty ? Self.searches.withoutFaces : Self.searches.withFaces
    if recent.isEmpty, nextSearch == 0 {
      count = max(count, 1 + min(views.largestSquares, Self.maxSquaresAtOnce))
    }
    for _ in 0..<min(count, 1 + views.squares.count) {
      let view = nextSearch == 0 ? views.whole : views.squares[nextSearch - 1]
      nextSearch = (nextSearch + 1) % (1 + views.squares.count)
      try run(on: view, of: frame, stream, threshold: Threshold.proposal)
      proposals += decoder.faces
    }
  }

  /// Looks closely at the proposals.
  private func confirm(_ frame: Frame, _ stream: Stream) throws(SegmentationError) {
    var confirmations = 0
    for proposal in proposals where !isKnown(proposal.box) {
      guard confirmations < Self.maxConfirmations else { return }
      confirmations += 1
      let view = stream.views.square(around: proposal.box)
      try run(on: view, of: frame, stream, threshold: Threshold.new)
      for face in decoder.faces where !stream.views.cutsOff(face.box, view) { add(face) }
    }
  }

  /// Keeps the detected faces, and those that were missed only recently.
  private func updateRecent() {
    var kept = 0
    for index in recent.indices {
      var candidate = recent[index]
      candidate.missed += 1
      if candidate.missed <= Self.maxMisses, faces.count + kept < Self.maxFaces,
        !isKnown(candidate.face.box)
      {
        recent[kept] = candidate
        kept += 1
      }
    }
    recent.removeLast(recent.count - kept)
    for face in faces { recent.append(RecentFace(face: face, missed: 0)) }
  }

  // MARK: - One view

  /// Runs the network on a crop, and converts `decoder.faces` to pixels of the frame.
  private func run(
    on view: PixelRegion, of frame: Frame, _ stream: Stream, threshold: Float
  ) throws(SegmentationError) {
    let preparation = view == stream.views.whole ? stream.whole : stream.squares
    unsafe preparation.fill(network.inputTensor, with: view, of: frame)
    inferences += 1
    let region = preparation.region
    decoder.decode(try network.infer(), threshold: threshold)
    let scale = view.size / region.size
    decoder.place(scale: scale, at: view.origin - region.origin * scale)
  }

  /// Whether a face with this box was already found in this frame.
  private func isKnown(_ box: FaceBox) -> Bool {
    // A small box inside a larger one is a part of that face. The box of a person half hidden
    // behind a larger face has a smaller share inside.
    faces.contains {
      $0.box.overlap(box) > FaceDecoder.sameFace || $0.box.coverage(box) > Self.partOfFace
    }
  }

  private func add(_ face: Face) {
    if faces.count < Self.maxFaces, !isKnown(face.box) { faces.append(face) }
  }

  // MARK: - Frames

  private func stream(for format: FrameFormat) -> Stream {
    if let stream, stream.format == format { return stream }
    reset()
    func preparation(_ fit: TensorFormat.Fit) -> ViewPreparation {
      ViewPreparation(format: format, tensor: FaceAnchors.inputFormat(fit))
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
