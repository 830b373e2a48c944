import Matting
import TestSupport
import Testing

@testable import OpenVINOInference

/// Networks of unknown families, with a description next to them.
struct DescribedModelTests {
  private let folder = TemporaryFolder()

  /// Returns a description with an input and an output section.
  ///
  /// Spaces separate the keys.
  private func description(
    _ input: String, _ output: String, names: (String, String) = ("picture", "matte")
  ) -> String {
    func section(_ name: String, _ keys: String) -> String {
      "[\(name)]\n" + keys.split(separator: " ").joined(separator: "\n") + "\n\n"
    }
    return section("modelinfo", "version=1.0") + section(names.0, "dir=input " + input)
      + section(names.1, "dir=output " + output)
  }

  /// Copies a fixture and writes its description next to it.
  ///
  /// Returns the path of the network.
  private func place(_ name: String, _ description: String, suffix: String = "") -> String {
    let stem = name.prefix { $0 != "." }
    folder.write((suffix.isEmpty ? name : String(stem)) + ".modelinfo", Array(description.utf8))
    return folder.copy(name)
  }

  private func segmenter(_ path: String, subjects: String = "") throws -> any Segmenter {
    try makeSegmenter(request(path, subjects: subjects))
  }

  private func error(_ path: String, subjects: String = "") -> SegmentationError? {
    errorOf { () throws(SegmentationError) in try loadModel(request(path, subjects: subjects)) }
  }

  @Test(arguments: ["", "stem"])
  func bothPlacesOfADescription(suffix: String) throws {
    let path = place(
      "red_planar.onnx",
      description(
        "id=x type=float32 dims=1,3,-1,6 dims-order=row-major layout=nchw ranges=-1.0,1.0 "
          + "caps=video/x-raw,format=(string)BGR fit=letterbox filter=lanczos",
        "group-id=y type=float32 dims=1,1,4,6 values=probabilities"), suffix: suffix)
    let segmenter = try segmenter(path)
    let format = segmenter.inputFormat
    #expect((format.width, format.height) == (6, 4))
    #expect(format.layout == .planar && format.fit == .letterbox && format.filter == .lanczos)
    #expect(format.order == .bgr)
    for range in [format.red, format.green, format.blue] {
      #expect((range.low, range.high) == (-1, 1))
    }
    #expect(try segmenter.matte(of: color) == reds)
  }

  /// Ranges are listed in the order of the tensor's channels, of which blue may be the first.
  @Test(arguments: ["RGB", "BGR"])
  func eachChannelHasItsRange(format: String) throws {
    for keys in ["ranges=0,1;-1,1;0,255", "mean=0,0.5,0 std=1,0.5,0.003921569"] {
      let path = place(
        "red_planar.onnx",
        description("\(keys) caps=video/x-raw,format=\(format)", "values=probabilities"))
      let input = try segmenter(path).inputFormat
      let (first, last) = format == "RGB" ? (input.red, input.blue) : (input.blue, input.red)
      #expect((first.low, first.high) == (0, 1))
      #expect((input.green.low, input.green.high) == (-1, 1))
      #expect(last.low == 0 && abs(last.high - 255) < 0.01)
    }
  }

  @Test func logitsOfOneChannelAndOfSeveral() throws {
    let matte = { (output: String, subjects: String) in
      let path = place(
        "logits.onnx", description("ranges=0,1", output, names: ("picture", "logits")))
      return try segmenter(path, subjects: subjects).matte { _, _ in [2, 1, -1] }
    }
    // The softmax of the logits 2, 1 and -1.
    let softmax: [Float] = [0.70538, 0.25950, 0.03512]
    for (output, subjects, expected) in [
      ("values=sigmoid-logits channels=0", "", 0.88080),
      ("values=sigmoid-logits channels=2,1", "", 0.73106),
      ("values=softmax-logits channels=0", "", softmax[0]),
      ("values=softmax-logits channels=1,2", "", softmax[1] + softmax[2]),
      ("values=softmax-logits classes=Person,dog,cat", "", softmax[0]),
      ("values=softmax-logits classes=person,dog,cat", "cat, DOG", softmax[1] + softmax[2]),
      ("values=probabilities channels=0,2", "", 1),
    ] as [(String, String, Float)] {
      let matte = try matte(output, subjects)
      #expect(matte.count == 24)
      #expect(matte.allSatisfy { abs($0 - expected) < 1e-4 }, "\(output): \(matte[0])")
    }
  }

  /// The network returns 64-bit integers without a channel dimension.
  @Test func labels() throws {
    let colors: [[Float]] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    for (keys, subjects, kept) in [
      ("channels=1,2", "", [1, 2]), ("classes=person,background,dog", "dog", [2]),
      ("classes=person,background,dog", "", [0]),
    ] as [(String, String, [Int])] {
      let path = place(
        "labels.onnx",
        description(
          "ranges=0,1", "type=int64 values=labels " + keys, names: ("picture", "labels")))
      let matte = try segmenter(path, subjects: subjects).matte { x, _ in colors[x % 3] }
      let expected: [Float] = (0..<24).map { kept.contains($0 % 3) ? 1 : 0 }
      #expect(matte == expected)
    }
  }

  @Test func aMatteOfHalfTheSizeIsEnlarged() throws {
    let path = place("half_size.onnx", description("ranges=0,1", "values=probabilities"))
    let segmenter = try segmenter(path)
    let matte = try segmenter.infer()
    #expect((matte.width, matte.height) == (6, 4))
    // A gradient is preserved, except in the outer half of the border samples.
    let found = try segmenter.matte { x, y in [Float(x) / 8 + Float(y) / 16, 0, 0] }
    for y in 0..<4 {
      for x in 0..<6 {
        let (cx, cy) = (min(max(Float(x), 0.5), 4.5), min(max(Float(y), 0.5), 2.5))
        let expected: Float = cx / 8 + cy / 16
        #expect(abs(found[6 * y + x] - expected) < 0.01)
      }
    }
  }

  @Test func aNetworkForAnySizeGetsTheDescribedSize() throws {
    let path = place("any_size.onnx", description("ranges=0,1 size=6x4", "values=probabilities"))
    let segmenter = try segmenter(path)
    #expect(
      segmenter.inputFormat
        == TensorFormat(width: 6, height: 4, layout: .interleaved, fit: .stretch))
    #expect(try segmenter.matte(of: color) == reds)
  }

  /// OpenVINO converts inputs and outputs that are not f32.
  @Test(arguments: [
    ("halves_in.onnx", "float16", "float32", "0,1"),
    ("halves_out.onnx", "float32", "float16", "0,1"),
    ("bytes_in.onnx", "uint8", "float32", "0,255"), ("bytes_out.onnx", "float32", "uint8", "0,1"),
  ])
  func otherTypesAreConverted(name: String, input: String, output: String, range: String) throws {
    let path = place(
      name,
      description("type=\(input) ranges=\(range)", "type=\(output) values=probabilities"))
    let isWhole = name.hasPrefix("bytes")
    let matte = try segmenter(path).matte { x, y in
      isWhole ? [Float((x + y) % 2), 0, 0] : color(x, y)
    }
    let board: [Float] = (0..<24).map { Float(($0 / 6 + $0 % 6) % 2) }
    #expect(matte == (isWhole ? board : reds))
  }

  @Test func theDescribedOutputIsUsed() throws {
    let more = "[d0]\ndir=output\ntype=float32\n"
    let path = place(
      "salient.onnx",
      description("ranges=0,1", "values=probabilities", names: ("picture", "d3")) + more)
    // The description overrides the known family, which would read d0, the red channel.
    let matte = try segmenter(path).matte { _, _ in [0.25, 0.5, 0.75] }
    #expect(matte.allSatisfy { $0 == 0.75 })
  }

  @Test func aChangedDescriptionIsReadAgain() throws {
    let path = place(
      "logits.onnx",
      description("ranges=0,1", "values=probabilities channels=0", names: ("picture", "logits")))
    let model = try loadModel(request(path))
    func matte() throws -> Float {
      try model.makeSegmenter(frameWidth: 64, frameHeight: 64).matte { _, _ in [0.25, 0.5, 1] }[0]
    }
    #expect(try matte() == 0.25)
    _ = place(
      "logits.onnx",
      description("ranges=0,1", "values=probabilities channels=1", names: ("picture", "logits")))
    #expect(try matte() == 0.5)
  }

  @Test func aDescribedNetworkIsCached() throws {
    let path = place("any_size.onnx", description("ranges=0,1 size=6x4", "values=probabilities"))
    let cache = TemporaryFolder()
    for isRestored in [false, true] {
      let segmenter = try makeSegmenter(request(path), cache: cache.path)
      #expect(network(of: segmenter)?.isRestored == isRestored)
      #expect(try segmenter.matte(of: color) == reds)
    }
  }

  // MARK: - Errors

  @Test func anUnknownClassIsRefused() {
    let path = place(
      "logits.onnx",
      description(
        "ranges=0,1", "values=softmax-logits classes=background,dog,cat",
        names: ("picture", "logits")))
    for subjects in ["", "horse", "dog,background"] {
      expect(error(path, subjects: subjects), .subjectUnknown, "dog, cat")
    }
    #expect(error(path, subjects: "cat") == nil)
  }

  /// Invalid descriptions.
  ///
  /// The arguments are the input keys, the output keys and the expected error.
  @Test(arguments: [
    ("", "values=probabilities", "[picture] has no key ranges; expected the values for 0 and 255"),
    ("ranges=1,0", "values=probabilities", "[picture] ranges=1,0 is invalid"),
    ("ranges=0,1;0,1", "values=probabilities", "[picture] ranges=0,1;0,1 is invalid"),
    ("ranges=0,nan", "values=probabilities", "[picture] ranges=0,nan is invalid"),
    ("ranges=0,1 mean=0", "values=probabilities", "either ranges, or mean and std"),
    ("mean=1,2", "values=probabilities", "mean=1,2 is invalid; expected one number or three"),
    ("mean=0 std=0", "values=probabilities", "std=0 is invalid; expected numbers greater than 0"),
    ("ranges=0,1 layout=chwn", "values=probabilities", "expected one of nchw, nhwc"),
    ("ranges=0,1 fit=cover", "values=probabilities", "expected one of stretch, letterbox"),
    ("ranges=0,1 filter=box", "values=probabilities", "expected one of triangle, lanczos"),
    ("ranges=0,1 caps=video/x-raw,format=NV12", "values=probabilities", "format=BGR"),
    ("ranges=0,1 dims-order=col-major", "values=probabilities", "expected one of row-major"),
    ("ranges=0,1 dims=1,x", "values=probabilities", "dims=1,x is invalid"),
    ("ranges=0,1 type=string", "values=probabilities", "type=string is invalid"),
    ("ranges=0,1 size=6", "values=probabilities", "size=6 is invalid; expected WIDTHxHEIGHT"),
    ("ranges=0,1 size=6x99999", "values=probabilities", "at most 2048 per side"),
    (
      "ranges=0,1 vlaues=x", "values=probabilities",
      "unknown key vlaues; the allowed keys are dir, id"
    ),
    (
      "ranges=0,1", "values=alpha",
      "[matte] values=alpha is invalid; expected one of probabilities"
    ),
    ("ranges=0,1", "", "found 0"), ("ranges=0,1", "values=labels channels=-1", "channels=-1"),
    ("ranges=0,1", "values=labels classes=a,a", "classes=a,a is invalid; expected different names"),
    ("ranges=0,1", "values=labels classes=a channels=0", "either channels or classes"),
  ])
  func wrongDescriptions(input: String, output: String, words: String) {
    let path = place("red_planar.onnx", description(input, output))
    expect(error(path), .descriptionInvalid, path + ".modelinfo", words)
  }

  @Test(arguments: [
    ("[picture]\ndir=input\nranges=0,1\n", "the section [modelinfo] with version=1.0 is missing"),
    ("[modelinfo]\n", "[modelinfo] has no key version"),
    ("[modelinfo]\nversion=2.0", "[modelinfo] version=2.0 is invalid; expected 1.0"),
    ("[modelinfo]\nversion=1.0", "expected one section with dir=input, found 0"),
    (
      "[modelinfo]\nversion=1.0\n[picture]",
      "[picture] has no key dir; expected one of input, output"
    ),
    ("nonsense", "line 1: expected [section] or key=value"),
  ])
  func wrongFiles(text: String, words: String) {
    expect(error(place("red_planar.onnx", text)), .descriptionInvalid, words)
  }

  /// Network, input, output, keys of both, and the expected error.
  static let unsuitable = """
    red_planar|pictur|matte||values=probabilities|no such input; it has picture
    red_planar|picture|mate||values=probabilities|no such output; it has matte
    red_planar|picture|matte|type=uint8|values=probabilities|type does not match
    red_planar|picture|matte|dims=1,3,4,7|values=probabilities|dims=1,3,4,7
    red_planar|picture|matte|layout=nhwc|values=probabilities|expected 1xHxWx3
    red_planar|picture|matte|size=7x4|values=probabilities|size=7x4 does not match
    red_planar|picture|matte||values=softmax-logits|requires several channels
    red_planar|picture|matte||values=probabilities channels=1|from 0 to 0
    red_planar|picture|matte||values=probabilities classes=a,b|2 names
    red_planar|picture|matte||values=labels|the key channels with the labels to keep
    red_planar|picture|matte||values=probabilities layout=nhwc|the numbers to keep, from 0 to 5
    any_size|picture|matte||values=probabilities|size=WIDTHxHEIGHT
    logits|picture|logits||values=probabilities|the numbers to keep, from 0 to 2
    logits|picture|logits||values=labels channels=0|one label per pixel
    two_inputs|picture|matte||values=probabilities|has 2 inputs
    three_dimensions|picture|matte||values=probabilities|four dimensions
    ambiguous|picture|matte||values=probabilities|layout=nchw or layout=nhwc
    huge|picture|matte||values=probabilities|at most 2048 per side
    """.split(separator: "\n").map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }

  @Test("refuses descriptions that do not fit the network", arguments: unsuitable)
  func descriptionsOfOtherNetworks(row: [String]) {
    let text = description("ranges=0,1 " + row[3], row[4], names: (row[1], row[2]))
    let error = error(place(row[0] + ".onnx", text))
    expect(error, .descriptionInvalid, folder.path, ".modelinfo", row[5])
  }

  @Test func theErrorNamesTheMissingDescription() {
    let path = folder.copy("logits.onnx")
    expect(error(path), .modelUnknown, "in the file \(path).modelinfo")
  }
}
