import Glibc
import Matting
import PixelTypes

/// Decodes the outputs of face networks into faces in pixels of their input, one per visible face.
///
/// Allocates only in `init`. Not thread-safe.
struct FaceDecoder {
  /// The detected faces, the highest score first.
  private(set) var faces: [Face] = []

  private var candidates: [Face] = []

  /// Boxes that overlap more than this belong to the same face.
  static let sameFace: Float = 0.3

  /// Creates a decoder of outputs with at most `count` candidates.
  init(count: Int) {
    candidates.reserveCapacity(count)
    faces.reserveCapacity(count)
  }

  /// Reads an output of BlazeFace, and ignores scores below `threshold`, between 0 and 1.
  ///
  /// Values that are not numbers are ignored. A face gets the mean position of all its candidates,
  /// weighted by their scores: BlazeFace's suppression keeps faces from jittering.
  mutating func decode(_ raw: RawFaces, threshold: Float) {
    let minLogit = logf(threshold / (1 - threshold))
    decode(FaceAnchors.count, blends: true) { raw.face($0, minLogit: minLogit) }
  }

  /// Reads an output of CenterFace, and ignores scores below `threshold`.
  ///
  /// Values that are not numbers are ignored. A face gets the position of its best candidate.
  mutating func decode(_ maps: FaceMaps, threshold: Float) {
    decode(FaceMaps.cells, blends: false) { maps.face($0, threshold: threshold) }
  }

  /// Converts the detected faces to positions in the frame.
  mutating func place(scale: FacePoint, at origin: FacePoint) {
    for index in faces.indices { faces[index] = faces[index].placed(scale: scale, at: origin) }
  }

  private mutating func decode(_ count: Int, blends: Bool, _ candidate: (Int) -> Face?) {
    candidates.removeAll(keepingCapacity: true)
    for index in 0..<count {
      if let face = candidate(index) { candidates.append(face) }
    }
    faces.removeAll(keepingCapacity: true)
    while let best = candidates.indices.max(by: { candidates[$0].score < candidates[$1].score }) {
      let face = candidates[best]
      var (sum, total) = (face.combined(face) { _, _ in .zero }, Float(0))
      var kept = 0
      for index in candidates.indices {
        let candidate = candidates[index]
        if index == best || candidate.box.overlap(face.box) > Self.sameFace {
          sum = sum.combined(candidate) { $0 + $1 * candidate.score }
          total += candidate.score
        } else {
          candidates[kept] = candidate
          kept += 1
        }
      }
      candidates.removeLast(candidates.count - kept)
      faces.append(blends ? sum.combined(sum) { value, _ in value / total } : face)
    }
  }
}

extension RawFaces {
  /// The valid extents of a face in sides of the input, and the maximum distance from its anchor.
  private static let sizes: ClosedRange<Float> = 0.01...4

  /// Returns the face at an anchor, or nil for a low score or invalid numbers.
  fileprivate func face(_ index: Int, minLogit: Float) -> Face? {
    // Also false for NaN.
    guard unsafe scores[index] >= minLogit else { return nil }
    let anchor = FaceAnchors.points[index]
    let values = unsafe regressors + index * FaceAnchors.regressors
    let side = Float(FaceAnchors.inputSize)
    for index in 0..<FaceAnchors.regressors
    where unsafe !(abs(values[index]) <= side * Self.sizes.upperBound) { return nil }
    func point(_ index: Int) -> FacePoint { unsafe FacePoint(values[index], values[index + 1]) }
    let size = point(2)
    guard Self.sizes.contains(size.x / side), Self.sizes.contains(size.y / side) else { return nil }
    return Face(
      box: FaceBox(center: point(0) + anchor, width: size.x, height: size.y),
      keypoints: FaceKeypoints(
        rightEye: point(4) + anchor, leftEye: point(6) + anchor, noseTip: point(8) + anchor,
        mouth: point(10) + anchor, rightEar: point(12) + anchor, leftEar: point(14) + anchor),
      score: 1 / (1 + expf(unsafe -scores[index])))
  }
}

extension FaceAnchors {
  /// The anchors in the order of the network's output, in pixels of its input.
  static let points: [FacePoint] = layers.flatMap { layer in
    let step = Float(inputSize / layer.cells)
    return (0..<layer.cells * layer.cells * layer.perCell).map { index in
      let (row, column) = (index / layer.perCell).quotientAndRemainder(dividingBy: layer.cells)
      return FacePoint(Float(column) + 0.5, Float(row) + 0.5) * step
    }
  }

  /// The input format of the short-range BlazeFace, with or without the picture's proportions.
  package static func inputFormat(_ fit: TensorFormat.Fit) -> TensorFormat {
    TensorFormat(
      width: FaceAnchors.inputSize, height: FaceAnchors.inputSize, layout: .interleaved, fit: fit,
      range: SampleRange(low: -1, high: 1))
  }
}

extension FaceMaps {
  /// The maximum of absolute offsets in cells, and of logarithms of sizes in cells.
  private static let maxCells: Float = 4

  /// Returns the face in a cell, or nil for a low score or invalid numbers.
  fileprivate func face(_ cell: Int, threshold: Float) -> Face? {
    // Also false for NaN.
    guard unsafe scores[cell] >= threshold else { return nil }
    let (height, width) = unsafe (extents[cell], extents[Self.cells + cell])
    let (down, right) = unsafe (offsets[cell], offsets[Self.cells + cell])
    let values = SIMD4(height, width, down, right)
    guard all((values .<= Self.maxCells) .& (values .>= -Self.maxCells)) else { return nil }
    let side = Float(Self.cellSide)
    let (row, column) = cell.quotientAndRemainder(dividingBy: Self.columns)
    let center = FacePoint(Float(column) + right + 0.5, Float(row) + down + 0.5) * side
    return Face(
      box: FaceBox(center: center, width: expf(width) * side, height: expf(height) * side),
      score: unsafe min(scores[cell], 1))
  }

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
