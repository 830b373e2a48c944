import Matting
import TestSupport
import Testing

@testable import OpenVINOInference

/// Tiny networks with the inputs and outputs of U-2-Net and DeepLabV3.
struct KnownFamilyTests {
  private func model(
    _ name: String, _ subjects: String = "", cache: String? = nil
  ) throws(SegmentationError) -> any SegmentationModel {
    try loadModel(request(fixture(name), subjects: subjects), cache: cache)
  }

  private func segmenter(
    _ name: String, _ subjects: String = "", cache: String? = nil
  ) throws -> any Segmenter {
    try model(name, subjects, cache: cache).makeSegmenter(frameWidth: 1280, frameHeight: 720)
  }

  /// Also checks the network that the cache restores.
  @Test func salientObjects() throws {
    let cache = TemporaryFolder()
    for _ in 0..<2 {
      let segmenter = try segmenter("salient.onnx", "whatever", cache: cache.path)
      let format = segmenter.inputFormat
      #expect((format.width, format.height) == (6, 4))
      #expect(format.layout == .planar && format.order == .rgb)
      // The segmenter reads the first of the seven outputs.
      #expect(try segmenter.matte { _, _ in [0.25, 0.5, 0.75] }.allSatisfy { $0 == 0.25 })
      // The values are unchanged: they are not stretched to 0 to 1.
      #expect(try segmenter.matte { x, _ in [Float(x) / 64, 0, 0] }.max() == 5.0 / 64)
    }
    #expect(try model("salient.onnx").subjects.isEmpty)
  }

  @Test func picturesAreNormalisedAsForImageNet() throws {
    let format = try segmenter("salient.onnx").inputFormat
    for (range, mean, deviation) in [
      (format.red, 0.485, 0.229), (format.green, 0.456, 0.224), (format.blue, 0.406, 0.225),
    ] {
      #expect(abs(Double(range.low) + mean / deviation) < 1e-6)
      #expect(abs(Double(range.high - range.low) - 1 / deviation) < 1e-5)
    }
  }

  @Test(
    arguments: [
      ("", [1, 0, 0]), ("person", [1, 0, 0]), ("dog", [0, 1, 0]), ("cat", [0, 0, 1]),
      ("Cat, dog", [0, 1, 1]), ("person,sofa", [1, 0, 0]),
    ] as [(String, [Float])])
  func classesAreKept(subjects: String, kept: [Float]) throws {
    let cache = TemporaryFolder()
    for _ in 0..<2 {
      let segmenter = try segmenter("pascal.onnx", subjects, cache: cache.path)
      #expect(segmenter.inputFormat.red.low == -1 && segmenter.inputFormat.blue.high == 1)
      #expect(segmenter.inputFormat.layout == .interleaved)
      // The logit is 4 for the channel with colour 1, and 0 for the other 20 classes.
      let sure: Float = 54.598 / 74.598
      let unsure: Float = 1 / 74.598
      for color in 0..<3 {
        let matte = try segmenter.matte { _, _ in (0..<3).map { $0 == color ? 1 : 0 } }
        let others = kept.reduce(0, +) + (subjects.contains("sofa") ? 1 : 0) - kept[color]
        let expected = kept[color] * sure + others * unsure
        #expect(matte.count == 24)
        #expect(matte.allSatisfy { abs($0 - expected) < 1e-4 })
      }
    }
  }

  @Test func theErrorForAnUnknownClassListsTheKnownOnes() {
    for subjects in ["unicorn", "person,unicorn"] {
      let error = errorOf { () throws(SegmentationError) in try model("pascal.onnx", subjects) }
      expect(
        error, .subjectUnknown, fixture("pascal.onnx"), "\"unicorn\"", "aeroplane", "person",
        "tvmonitor")
    }
    let error = errorOf { () throws(SegmentationError) in try model("pascal.onnx", "background") }
    #expect(error?.kind == .subjectUnknown)
  }

  @Test("lists the classes of a network, or nothing if it has no classes")
  func listsSubjects() throws {
    let known = try model("pascal.onnx").subjects
    #expect(known.count == 20 && known.contains("person") && !known.contains("background"))
    #expect(try model("red.onnx", "dog").subjects.isEmpty)
    #expect(try model("recurrent.onnx", "dog").subjects.isEmpty)
  }

  /// Segmenters with different subjects share a compiled network.
  @Test func subjectsShareANetwork() throws {
    let (person, dog) = (try segmenter("pascal.onnx"), try segmenter("pascal.onnx", "dog"))
    #expect(network(of: person) != nil && network(of: person) === network(of: dog))
    let (first, second) = (
      try person.matte { _, _ in [0, 1, 0] }[0], try dog.matte { _, _ in [0, 1, 0] }[0]
    )
    #expect(first < 0.1 && second > 0.7)
  }
}
