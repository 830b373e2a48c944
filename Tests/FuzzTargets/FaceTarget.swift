import InferenceTypes
import PixelTypes
import Processor

@testable import PersonSelection

extension FuzzTarget {
  /// Detects and tracks faces in NV12 frames of several sizes and colorimetries, with any output of
  /// the networks.
  func findFaces(_ bytes: [UInt8]) throws(Finding) {
    var input = FuzzInput(bytes)
    let network = FuzzFaceNetwork()
    InstructionSet.current = input.choice(InstructionSet.available)
    let detector = FaceDetector(network: network)
    let maps = FuzzFaceMapNetwork()
    let halfHidden = HalfHiddenFaces(network: maps)
    var format = FrameFormat(&input)
    var picture = FuzzPicture(.nv12, format, &input)
    for _ in 0..<12 where !input.isAtEnd {
      if input.flag(onceIn: 5) {
        format = FrameFormat(&input)
        picture = FuzzPicture(.nv12, format, &input)
      }
      if input.flag(onceIn: 7) { detector.reset() }
      if input.flag(onceIn: 7) { halfHidden.reset() }
      network.script = FuzzFaceNetwork.Script(&input)
      var faces: [Face] = []
      do throws(SegmentationError) {
        faces = try detector.detect(in: picture.frame, format: format)
      } catch {
        try expect(network.script.fails, "an error without a failed inference: \(error)")
      }
      for face in faces {
        try expect(
          face.isFinite && 0...1 ~= face.score && face.box.width > 0 && face.box.height > 0,
          "an invalid face was found: \(face)")
      }
      for _ in 0..<input.integer(in: 0...3) { faces.append(Face(&input)) }
      for _ in 0..<3 {
        maps.script = FuzzFaceMapNetwork.Script(&input)
        let hidden = try? halfHidden.find(
          in: picture.frame, format: format, behind: faces, looks: input.integer(in: 0...5),
          isShown: { x, y in x < Double(format.width) && y < Double(format.height) })
        for face in hidden ?? [] {
          try expect(
            face.isFinite && 0...1 ~= face.score && face.box.width > 0 && face.box.height > 0,
            "an invalid half-hidden face was found: \(face)")
        }
      }
    }
  }
}

extension Face {
  /// Makes a face with any numbers, including infinity and NaN.
  fileprivate init(_ input: inout FuzzInput) {
    func point() -> FacePoint { FacePoint(x: input.float() * 100, y: input.float() * 100) }
    self.init(
      box: FaceBox(center: point(), width: input.float() * 100, height: input.float() * 100),
      keypoints: FaceKeypoints(
        rightEye: point(), leftEye: point(), noseTip: point(), mouth: point(), rightEar: point(),
        leftEar: point()),
      score: input.float())
  }
}

/// Returns maps that the input determines, regardless of the picture.
@safe private final class FuzzFaceMapNetwork: FaceMapNetwork {
  /// The output in some of the cells.
  ///
  /// The others have no face.
  struct Script {
    var fails = false
    var cells: [(index: Int, score: Float, values: [Float])] = []

    init() {}

    init(_ input: inout FuzzInput) {
      fails = input.flag(onceIn: 12)
      for _ in 0..<input.integer(in: 0...6) {
        let isLikely = input.flag()
        let values = (0..<4).map { map in
          isLikely ? (map < 2 ? 4 : 1) * input.finiteFloat() : input.float()
        }
        cells.append(
          (input.integer(in: 0...FaceMaps.cells - 1), isLikely ? 0.9 : input.float(), values))
      }
    }
  }

  // This object owns all pointers. The protocol specifies their sizes.
  private let picture = ExactMemory<Float>(
    Array(repeating: 0, count: 3 * FaceMaps.input.width * FaceMaps.input.height))
  private let scores = ExactMemory<Float>(Array(repeating: 0, count: FaceMaps.cells))
  private let extents = ExactMemory<Float>(Array(repeating: 0, count: 2 * FaceMaps.cells))
  private let offsets = ExactMemory<Float>(Array(repeating: 0, count: 2 * FaceMaps.cells))
  var script = Script()

  var inputTensor: UnsafeMutablePointer<Float> { unsafe picture.base }

  func infer() throws(SegmentationError) -> FaceMaps {
    if script.fails { throw SegmentationError(.inferenceFailed, "fuzzed failure") }
    unsafe scores.base.update(repeating: 0, count: scores.count)
    for (cell, score, values) in script.cells {
      unsafe scores.base[cell] = score
      unsafe (extents.base[cell], extents.base[FaceMaps.cells + cell]) = (values[0], values[1])
      unsafe (offsets.base[cell], offsets.base[FaceMaps.cells + cell]) = (values[2], values[3])
    }
    return unsafe FaceMaps(scores: scores.base, extents: extents.base, offsets: offsets.base)
  }
}

/// Returns an output that the input determines, regardless of the picture.
@safe private final class FuzzFaceNetwork: FaceNetwork {
  /// The output for some of the anchors.
  ///
  /// The others have no face.
  struct Script {
    var fails = false
    var anchors: [(index: Int, score: Float, values: [Float])] = []

    init() {}

    init(_ input: inout FuzzInput) {
      fails = input.flag(onceIn: 12)
      for _ in 0..<input.integer(in: 0...6) {
        // Mostly plausible sizes, because others are nearly always rejected.
        let isLikely = input.flag()
        let values = (0..<FaceAnchors.regressors).map { index in
          isLikely ? (index == 2 || index == 3 ? 80 : 128) * input.finiteFloat() : input.float()
        }
        anchors.append(
          (input.integer(in: 0...FaceAnchors.count - 1), isLikely ? 5 : input.float(), values))
      }
    }
  }

  // This object owns all pointers. The protocol specifies their sizes.
  private let picture = ExactMemory<Float>(
    Array(repeating: 0, count: 3 * FaceAnchors.inputSize * FaceAnchors.inputSize))
  private let regressors = ExactMemory<Float>(
    Array(repeating: 0, count: FaceAnchors.count * FaceAnchors.regressors))
  private let scores = ExactMemory<Float>(Array(repeating: -100, count: FaceAnchors.count))
  var script = Script()

  var inputTensor: UnsafeMutablePointer<Float> { unsafe picture.base }

  func infer() throws(SegmentationError) -> RawFaces {
    if script.fails { throw SegmentationError(.inferenceFailed, "fuzzed failure") }
    unsafe scores.base.update(repeating: -100, count: scores.count)
    for (index, score, values) in script.anchors {
      unsafe scores.base[index] = score
      unsafe (regressors.base + index * FaceAnchors.regressors).update(
        from: values, count: values.count)
    }
    return unsafe RawFaces(regressors: regressors.base, scores: scores.base)
  }
}
