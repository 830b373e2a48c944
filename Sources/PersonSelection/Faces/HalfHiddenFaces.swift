import InferenceTypes
import Matting
import PixelTypes

/// Detects faces of people half hidden behind others, which BlazeFace misses.
///
/// CenterFace first searches the area around a detected face, where the matte shows a person. Then
/// it looks closely at each candidate. Both passes must detect the face. Later frames repeat the
/// close look. In steady state nothing is allocated if the caller keeps no earlier result. Not
/// thread-safe.
public final class HalfHiddenFaces {
  /// The number of network inferences.
  public private(set) var inferences = 0

  private let network: any FaceMapNetwork
  private var stream: (format: FrameFormat, preparation: ViewPreparation)?
  private var decoder = FaceMapDecoder()
  private var recent: [RecentFace] = []
  private var proposals: [FaceBox] = []
  private var result: [Face] = []
  /// The index of the face to search around next.
  private var nextFace = 0

  /// A face of the last frames, at which the next frame is examined closely.
  private struct RecentFace {
    var box: FaceBox
    /// The box, centred on the visible part of the face.
    var visible: FaceBox
    var score: Float
    /// The number of consecutive frames without a detection.
    var missed = 0
  }

  /// Minimum scores.
  ///
  /// In 341 pictures of people alone nothing scored as much as 0.1 in a close look.
  private enum Threshold {
    /// For a candidate for a close look.
    static let proposal: Float = 0.1
    /// For a new face.
    static let new: Float = 0.2
    /// For a recent face.
    static let recent: Float = 0.15
  }

  /// The maximum number of recent faces.
  private static let maxFaces = 4
  /// The maximum number of close looks at new candidates per search.
  private static let maxConfirmations = 2
  /// A box with more than this share inside another is a part of the same face.
  private static let partOfFace: Float = 0.6
  /// The minimum visible share of a face.
  private static let minVisible: Float = 0.25
  /// Boxes of the two networks that overlap more than this are the same face.
  private static let sameFaceOfBoth: Float = 0.4

  /// The height of a crop, in heights of the face in its middle.
  ///
  /// Higher crops lose half faces, and lower ones lose faces farther away.
  private static let viewHeight: Float = 1.7
  /// The possible heights of a face in rows.
  ///
  /// Other faces are skipped.
  private static let heights: ClosedRange<Float> = 16...16384

  /// Creates a finder that works with the given network.
  public init(network: any FaceMapNetwork) {
    self.network = network
    recent.reserveCapacity(Self.maxFaces)
    result.reserveCapacity(Self.maxFaces)
    proposals.reserveCapacity(FaceMaps.cells)
  }

  /// Forgets all faces: at a cut, at a seek, or if the next frame shows another scene.
  package func reset() {
    recent.removeAll(keepingCapacity: true)
    nextFace = 0
  }

  /// Returns the faces that are half hidden behind `faces`, which were detected in this frame.
  ///
  /// Searches around at most `looks` of `faces`, and continues with the next ones in the next call.
  /// Ignores faces if the matte does not show a person there: `isShown` takes a column and a row of
  /// the frame.
  ///
  /// Throws `SegmentationError` if an inference fails.
  package func find(
    in frame: Frame, format: FrameFormat, behind faces: [Face], looks: Int,
    isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) -> [Face] {
    let preparation = preparation(for: format)
    try lookAgain(frame, preparation, faces)
    var looksLeft = min(looks, Self.maxFaces)
    for _ in faces.indices where looksLeft > 0 {
      let face = faces[nextFace % faces.count].box
      nextFace = (nextFace + 1) % faces.count
      guard isShown(Double(face.center.x), Double(face.center.y)) else { continue }
      try search(around: face, in: frame, preparation, faces, isShown)
      looksLeft -= 1
    }
    result.removeAll(keepingCapacity: true)
    for face in recent where face.missed == 0 {
      result.append(Face(box: face.visible, score: face.score))
    }
    return result
  }

  // MARK: - Steps

  /// Looks closely at the places of recent faces.
  private func lookAgain(
    _ frame: Frame, _ preparation: ViewPreparation, _ faces: [Face]
  ) throws(SegmentationError) {
    var kept = 0
    for index in recent.indices {
      var face = recent[index]
      guard !faces.contains(where: { $0.box.overlap(face.box) > Self.sameFaceOfBoth }),
        !isRecent(face.box, in: 0..<kept)
      else { continue }
      if let new = try look(at: face.box, in: frame, preparation, threshold: Threshold.recent),
        !isKnown(new.box, among: faces), !isRecent(new.box, in: 0..<kept)
      {
        face = RecentFace(
          box: new.box, visible: visible(new.box, behind: faces), score: new.score)
      } else {
        face.missed += 1
      }
      guard face.missed <= FaceDetector.maxMisses else { continue }
      recent[kept] = face
      kept += 1
    }
    recent.removeLast(recent.count - kept)
  }

  /// Searches around a face, and looks closely at the candidates.
  private func search(
    around face: FaceBox, in frame: Frame, _ preparation: ViewPreparation, _ faces: [Face],
    _ isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) {
    guard try look(around: face, in: frame, preparation, threshold: Threshold.proposal)
    else { return }
    proposals.removeAll(keepingCapacity: true)
    for seen in decoder.seen where isNew(seen.box, faces) {
      let middle = visible(seen.box, behind: faces).center
      if isShown(Double(middle.x), Double(middle.y)) { proposals.append(seen.box) }
    }
    for box in proposals.prefix(Self.maxConfirmations) {
      if let new = try look(at: box, in: frame, preparation, threshold: Threshold.new),
        isNew(new.box, faces)
      {
        recent.append(
          RecentFace(box: new.box, visible: visible(new.box, behind: faces), score: new.score))
      }
    }
  }

  /// Looks closely at a face, and returns the detection at its position.
  private func look(
    at box: FaceBox, in frame: Frame, _ preparation: ViewPreparation, threshold: Float
  ) throws(SegmentationError) -> FaceMapDecoder.SeenBox? {
    guard try look(around: box, in: frame, preparation, threshold: threshold) else { return nil }
    let seen = decoder.seen.max { $0.box.overlap(box) < $1.box.overlap(box) }
    return seen.flatMap { $0.box.overlap(box) > FaceDecoder.sameFace ? $0 : nil }
  }

  /// Fills `decoder.seen` with the detections around a face, in pixels of the frame.
  ///
  /// Returns false if there is no valid crop for the face.
  private func look(
    around box: FaceBox, in frame: Frame, _ preparation: ViewPreparation, threshold: Float
  ) throws(SegmentationError) -> Bool {
    guard let format = stream?.format, Self.heights.contains(box.height),
      0..<Float(format.width) ~= box.center.x, 0..<Float(format.height) ~= box.center.y
    else { return false }
    let height = (box.height * Self.viewHeight).rounded()
    let width = (height * Float(FaceMaps.input.width) / Float(FaceMaps.input.height)).rounded()
    // Inside the frame vertically, or centred on it if the crop is higher.
    let slack = Float(format.height) - height
    let y = slack > 0 ? min(max(box.center.y - height / 2, 0), slack) : slack / 2
    let view = PixelRegion(
      x: Int(box.center.x - width / 2), y: Int(y), width: Int(width), height: Int(height))
    unsafe preparation.fill(network.inputTensor, with: view, of: frame)
    // Black columns beyond the frame, because half faces are missed next to repeated edge pixels.
    let columns = Float(FaceMaps.input.width) / width
    unsafe FaceMaps.blacken(
      network.inputTensor, before: Int(Float(-view.x) * columns),
      from: Int(Float(format.width - view.x) * columns))
    inferences += 1
    decoder.decode(try network.infer(), of: view, threshold: threshold)
    return true
  }

  // MARK: - Boxes

  /// Whether a box is one of `faces`, or a part of it.
  private func isKnown(_ box: FaceBox, among faces: [Face]) -> Bool {
    faces.contains {
      $0.box.coverage(box) > Self.partOfFace || $0.box.overlap(box) > Self.sameFaceOfBoth
    }
  }

  /// Returns `box` centred on the part of the face that `faces` do not hide.
  ///
  /// The network's box surrounds the whole face.
  private func visible(_ box: FaceBox, behind faces: [Face]) -> FaceBox {
    let area = box.width * box.height
    // The number of visible pixels, and the sum of their distances from the middle.
    var (seen, sum) = (area, Float(0))
    for face in faces {
      let other = face.box
      let hidden = other.intersection(box)
      guard hidden > 0 else { continue }
      let middle = (max(other.x, box.x) + min(other.endX, box.endX)) / 2
      seen -= hidden
      sum += hidden * (box.center.x - middle)
    }
    let maxShift = box.width * (1 - Self.minVisible) / 2
    var result = box
    result.center.x += min(max(sum / max(seen, area * Self.minVisible), -maxShift), maxShift)
    return result
  }

  private func isRecent(_ box: FaceBox, in range: Range<Int>) -> Bool {
    range.contains { recent[$0].box.coverage(box) > Self.partOfFace }
  }

  /// Whether a box is a new face, and there is room for one more.
  private func isNew(_ box: FaceBox, _ faces: [Face]) -> Bool {
    recent.count < Self.maxFaces && !isKnown(box, among: faces)
      && !isRecent(box, in: recent.indices)
  }

  private func preparation(for format: FrameFormat) -> ViewPreparation {
    if let stream, stream.format == format { return stream.preparation }
    reset()
    let new = ViewPreparation(format: format, tensor: Self.inputFormat)
    stream = (format, new)
    return new
  }

  private static let inputFormat = TensorFormat(
    width: FaceMaps.input.width, height: FaceMaps.input.height, layout: .planar, fit: .stretch,
    range: SampleRange(low: 0, high: 255))
}
