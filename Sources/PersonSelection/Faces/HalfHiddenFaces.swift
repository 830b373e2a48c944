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
  private var decoder = FaceDecoder(count: FaceMaps.cells)
  private var recent: [RecentFace] = []
  private var proposals: [FaceBox] = []
  private var result: [Face] = []
  /// The index of the face to search around next.
  private var nextFace = 0

  /// A face of the last frames, at which the next frame is examined closely.
  private struct RecentFace {
    var face: Face
    /// The face, centred on its visible part.
    var visible: Face
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
    if stream?.format != format {
      reset()
      stream = (format, ViewPreparation(format: format, tensor: Self.inputFormat))
    }
    try lookAgain(frame, faces)
    var looksLeft = min(looks, Self.maxFaces)
    for _ in faces.indices where looksLeft > 0 {
      let face = faces[nextFace % faces.count].box
      nextFace = (nextFace + 1) % faces.count
      guard isShown(Double(face.center.x), Double(face.center.y)) else { continue }
      try search(around: face, in: frame, faces, isShown)
      looksLeft -= 1
    }
    result.removeAll(keepingCapacity: true)
    for face in recent where face.missed == 0 { result.append(face.visible) }
    return result
  }

  // MARK: - Steps

  /// Looks closely at the places of recent faces.
  private func lookAgain(_ frame: Frame, _ faces: [Face]) throws(SegmentationError) {
    var kept = 0
    for index in recent.indices {
      var face = recent[index]
      let box = face.face.box
      guard !faces.contains(where: { $0.box.overlap(box) > Self.sameFaceOfBoth }),
        !isRecent(box, in: 0..<kept)
      else { continue }
      if let new = try look(at: box, in: frame, threshold: Threshold.recent),
        !isKnown(new.box, among: faces), !isRecent(new.box, in: 0..<kept)
      {
        face = RecentFace(face: new, visible: visible(new, behind: faces))
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
    around face: FaceBox, in frame: Frame, _ faces: [Face], _ isShown: (Double, Double) -> Bool
  ) throws(SegmentationError) {
    guard try look(around: face, in: frame, threshold: Threshold.proposal) else { return }
    proposals.removeAll(keepingCapacity: true)
    for seen in decoder.faces where isNew(seen.box, faces) {
      let middle = visible(seen, behind: faces).box.center
      if isShown(Double(middle.x), Double(middle.y)) { proposals.append(seen.box) }
    }
    for box in proposals.prefix(Self.maxConfirmations) {
      if let new = try look(at: box, in: frame, threshold: Threshold.new), isNew(new.box, faces) {
        recent.append(RecentFace(face: new, visible: visible(new, behind: faces)))
      }
    }
  }

  /// Looks closely at a face, and returns the detection at its position.
  private func look(
    at box: FaceBox, in frame: Frame, threshold: Float
  ) throws(SegmentationError) -> Face? {
    guard try look(around: box, in: frame, threshold: threshold) else { return nil }
    let seen = decoder.faces.max { $0.box.overlap(box) < $1.box.overlap(box) }
    return seen.flatMap { $0.box.overlap(box) > FaceDecoder.sameFace ? $0 : nil }
  }

  /// Fills `decoder.faces` with the detections around a face, in pixels of the frame.
  ///
  /// Returns false if there is no valid crop for the face.
  private func look(
    around box: FaceBox, in frame: Frame, threshold: Float
  ) throws(SegmentationError) -> Bool {
    guard let (format, preparation) = stream, Self.heights.contains(box.height),
      0..<Float(format.width) ~= box.center.x, 0..<Float(format.height) ~= box.center.y
    else { return false }
    let height = (box.height * Self.viewHeight).rounded()
    let width = (height * Self.input.size.x / Self.input.size.y).rounded()
    // Inside the frame vertically, or centred on it if the crop is higher.
    let slack = Float(format.height) - height
    let y = slack > 0 ? min(max(box.center.y - height / 2, 0), slack) : slack / 2
    let view = PixelRegion(
      x: Int(box.center.x - width / 2), y: Int(y), width: Int(width), height: Int(height))
    unsafe preparation.fill(network.inputTensor, with: view, of: frame)
    // Black columns beyond the frame, because half faces are missed next to repeated edge pixels.
    let columns = Self.input.size.x / width
    unsafe FaceMaps.blacken(
      network.inputTensor, before: Int(Float(-view.x) * columns),
      from: Int(Float(format.width - view.x) * columns))
    inferences += 1
    decoder.decode(try network.infer(), threshold: threshold)
    decoder.place(scale: view.size / Self.input.size, at: view.origin)
    return true
  }

  // MARK: - Boxes

  /// Whether a box is one of `faces`, or a part of it.
  private func isKnown(_ box: FaceBox, among faces: [Face]) -> Bool {
    faces.contains {
      $0.box.coverage(box) > Self.partOfFace || $0.box.overlap(box) > Self.sameFaceOfBoth
    }
  }

  /// Returns `face` with a box centred on the part that `faces` do not hide.
  ///
  /// The network's box surrounds the whole face.
  private func visible(_ face: Face, behind faces: [Face]) -> Face {
    let box = face.box
    let area = box.width * box.height
    // The number of visible pixels, and the sum of their distances from the middle.
    var (seen, sum) = (area, Float(0))
    for front in faces {
      let other = front.box
      let hidden = other.intersection(box)
      guard hidden > 0 else { continue }
      let middle = (max(other.x, box.x) + min(other.endX, box.endX)) / 2
      seen -= hidden
      sum += hidden * (box.center.x - middle)
    }
    let maxShift = box.width * (1 - Self.minVisible) / 2
    let shift = min(max(sum / max(seen, area * Self.minVisible), -maxShift), maxShift)
    return face.placed(at: FacePoint(shift, 0))
  }

  private func isRecent(_ box: FaceBox, in range: Range<Int>) -> Bool {
    range.contains { recent[$0].face.box.coverage(box) > Self.partOfFace }
  }

  /// Whether a box is a new face, and there is room for one more.
  private func isNew(_ box: FaceBox, _ faces: [Face]) -> Bool {
    recent.count < Self.maxFaces && !isKnown(box, among: faces)
      && !isRecent(box, in: recent.indices)
  }

  /// The input of the network.
  private static let input = PixelRegion(
    x: 0, y: 0, width: FaceMaps.input.width, height: FaceMaps.input.height)
  private static let inputFormat = TensorFormat(
    width: input.width, height: input.height, layout: .planar, fit: .stretch,
    range: SampleRange(low: 0, high: 255))
}
