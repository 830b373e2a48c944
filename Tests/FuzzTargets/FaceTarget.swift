import Matting
import PixelTypes
import Processor
import TestSupport

@testable import PersonSelection

extension FuzzTarget {
  /// Detects and tracks faces in NV12 frames of several sizes and colorimetries, with any output of
  /// the networks.
  func findFaces(_ bytes: [UInt8]) throws(Finding) {
    var input = FuzzInput(bytes)
    let network = FakeFaceNetwork()
    InstructionSet.current = input.choice(InstructionSet.available)
    let detector = FaceDetector(network: network)
    let maps = FakeFaceMapNetwork()
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
      network.prepare(&input)
      var faces: [Face] = []
      do throws(SegmentationError) {
        faces = try detector.detect(in: picture.frame, format: format)
      } catch {
        try expect(network.failure != nil, "an error without a failed inference: \(error)")
      }
      for face in faces {
        try expect(
          face.isFinite && 0...1 ~= face.score && face.box.width > 0 && face.box.height > 0,
          "an invalid face was found: \(face)")
      }
      for _ in 0..<input.integer(in: 0...3) { faces.append(Face(&input)) }
      for _ in 0..<3 {
        maps.prepare(&input)
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

extension FakeFaceMapNetwork {
  /// Chooses the output of the next inferences, regardless of the picture.
  fileprivate func prepare(_ input: inout FuzzInput) {
    failure = input.flag(onceIn: 12) ? SegmentationError(.inferenceFailed, "fuzzed failure") : nil
    let cells = (0..<input.integer(in: 0...6)).map { _ in
      let isLikely = input.flag()
      let values = (0..<4).map { map in
        isLikely ? (map < 2 ? 4 : 1) * input.finiteFloat() : input.float()
      }
      let index = input.integer(in: 0...FaceMaps.cells - 1)
      return (index: index, score: isLikely ? 0.9 : input.float(), values: values)
    }
    output = { network in
      for (cell, score, values) in cells {
        unsafe network.scores[cell] = score
        for half in 0...1 {
          unsafe network.extents[cell + half * FaceMaps.cells] = values[half]
          unsafe network.offsets[cell + half * FaceMaps.cells] = values[2 + half]
        }
      }
    }
  }
}

extension FakeFaceNetwork {
  /// Chooses the output of the next inferences, regardless of the picture.
  fileprivate func prepare(_ input: inout FuzzInput) {
    failure = input.flag(onceIn: 12) ? SegmentationError(.inferenceFailed, "fuzzed failure") : nil
    let anchors = (0..<input.integer(in: 0...6)).map { _ in
      // Mostly plausible sizes, because others are nearly always rejected.
      let isLikely = input.flag()
      let values = (0..<FaceAnchors.regressors).map { index in
        isLikely ? (index == 2 || index == 3 ? 80 : 128) * input.finiteFloat() : input.float()
      }
      let index = input.integer(in: 0...FaceAnchors.count - 1)
      return (index: index, score: isLikely ? 5 : input.float(), values: values)
    }
    output = { network in
      for (anchor, score, values) in anchors {
        unsafe network.scores[anchor] = score
        unsafe (network.regressors + anchor * FaceAnchors.regressors).update(
          from: values, count: values.count)
      }
    }
  }
}
