import Glibc
import InputFiles
import Matting
import TestSupport
import Testing

@testable import OpenVINOInference

/// Models with weights in external files.
struct ExternalDataTests {
  private let models = TemporaryFolder()
  private let cache = TemporaryFolder()

  private func write(_ name: String, _ value: Float) {
    models.write(name, (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) })
  }

  private func segmenter(_ name: String) throws -> any Segmenter {
    try makeSegmenter(request(models.path + "/" + name), cache: cache.path)
  }

  /// Covers a tensor of the graph and a tensor of a node.
  @Test(arguments: ["weight.bin", "value.bin"])
  func otherWeightsMakeAnotherNetwork(file: String) throws {
    models.copy("external.onnx")
    for name in ["weight.bin", "value.bin"] { write(name, 1) }
    // Segmenters with the old weights do not share their network with new ones.
    let first = try segmenter("external.onnx")
    #expect(try first.matte(ofGrey: 0.5).first == 0.5)
    write(file, 0.5)
    do {
      let second = try segmenter("external.onnx")
      #expect(network(of: second)?.isRestored == false)
      #expect(try second.matte(ofGrey: 0.5).first == 0.25)
    }
    write(file, 1)
    let third = try segmenter("external.onnx")
    #expect(network(of: third)?.isRestored == true)
    #expect(try third.matte(ofGrey: 0.5).first == 0.5)
  }

  @Test func aLoadedModelUsesChangedWeights() throws {
    models.copy("external.onnx")
    for name in ["weight.bin", "value.bin"] { write(name, 1) }
    let model = try loadModel(request(models.path + "/external.onnx"), cache: cache.path)
    func grey() throws -> Float? {
      try model.makeSegmenter(frameWidth: 64, frameHeight: 64).matte(ofGrey: 0.5).first
    }
    #expect(try grey() == 0.5)
    write("weight.bin", 0.5)
    #expect(try grey() == 0.25)
  }

  @Test func weightsNextToTheFileAreUsed() throws {
    models.copy("red.xml")
    let weights = TestFile.bytes(fixture("red.bin"))
    models.write("red.bin", weights)
    func matte() throws -> Float? {
      try segmenter("red.xml").matte { _, _ in [0.5, 0.25, 0] }.first
    }
    #expect(try matte() == 0.5)
    // Selects the second channel instead of the first.
    models.write("red.bin", [1] + weights.dropFirst())
    #expect(try matte() == 0.25)
  }

  @Test func weightsOutsideOfTheFolderAreRefused() throws {
    let model = TestFile.bytes(fixture("external.onnx"))
    let name = Array("weight.bin".utf8)
    let place = try #require(model.indices.first { model[$0...].starts(with: name) })
    #expect(unsafe mkdir(models.path + "/below", 0o700) == 0)
    for each in ["w.bin", "below/value.bin"] { write(each, 1) }
    // The new path has the same length.
    models.write(
      "below/external.onnx",
      model[..<place] + Array(".././w.bin".utf8) + model[(place + name.count)...])
    let error = loadError(models.path + "/below/external.onnx")
    #expect(error?.kind == .modelUnreadable, "\(error?.description ?? "no error")")
  }

  /// The paths have the length of the one in the model.
  @Test(
    "refuses weights with links that lead out of the model's folder",
    arguments: ["weight.bin", "link/a.bin"])
  func linkedWeights(path: String) throws {
    let model = TestFile.bytes(fixture("external.onnx"))
    let old = Array("weight.bin".utf8)
    let place = try #require(model.indices.first { model[$0...].starts(with: old) })
    models.write(
      "external.onnx", model[..<place] + Array(path.utf8) + model[(place + old.count)...])
    write("value.bin", 1)
    let other = TemporaryFolder()
    for name in ["weight.bin", "a.bin"] { other.write(name, [0, 0, 128, 63]) }
    models.link("weight.bin", from: other.path)
    try #require(unsafe symlink(other.path, models.path + "/link") == 0)
    let error = loadError(models.path + "/external.onnx")
    expect(error, .modelUnreadable, "outside of its folder")
  }

  @Test("loads a model if its files are links into one folder")
  func linkedModel() throws {
    models.copy("external.onnx")
    for name in ["weight.bin", "value.bin"] { write(name, 1) }
    let links = TemporaryFolder()
    for name in ["external.onnx", "weight.bin", "value.bin"] { links.link(name, from: models.path) }
    #expect(loadError(links.path + "/external.onnx") == nil)
  }

  @Test("loads external weights of a model with a ratio that becomes a constant")
  func constantRatio() {
    models.copy("recurrent_external.onnx")
    write("weight.bin", 0.5)
    #expect(loadError(models.path + "/recurrent_external.onnx") == nil)
  }

  enum NoFile: CaseIterable, Sendable {
    case pipe, device, sparse, missing

    /// Replaces the file at `path`.
    func put(at path: String) {
      unsafe unlink(path)
      switch self {
      case .pipe: #expect(unsafe mkfifo(path, 0o600) == 0)
      case .device: #expect(unsafe symlink("/dev/zero", path) == 0)
      case .sparse:
        close(unsafe open(path, O_WRONLY | O_CREAT, 0o600))
        #expect(unsafe truncate(path, 50 << 30) == 0)
      case .missing: break
      }
    }

    var words: String {
      switch self {
      case .pipe, .device: "is a pipe, a socket or a device"
      case .sparse: "is too large for a model"
      case .missing: "There is no file"
      }
    }
  }

  @Test(
    "refuses weights that are not a regular file at once, with and without a cache",
    .timeLimit(.minutes(15)),
    arguments: NoFile.allCases, [("red.xml", "red.bin"), ("external.onnx", "value.bin")])
  func noFile(_ kind: NoFile, _ names: (model: String, weights: String)) {
    let path = models.copy(names.model)
    for name in ["weight.bin", "value.bin"] { write(name, 1) }
    kind.put(at: models.path + "/" + names.weights)
    let isLink = kind == .device && names.model == "external.onnx"
    let words = isLink ? "outside of its folder" : kind.words
    for folder in [nil, cache.path] {
      let error = errorOf { () throws(SegmentationError) in
        try loadModel(request(path), cache: folder)
      }
      expect(error, .modelUnreadable, words)
    }
  }

  @Test("refuses a description that is not a regular file at once", .timeLimit(.minutes(15)))
  func noDescription() {
    let path = models.copy("red.onnx")
    for kind in [NoFile.pipe, .device, .sparse] {
      kind.put(at: path + ".modelinfo")
      let error = loadError(path)
      #expect(error?.description.contains(kind.words) == true, "\(error as Any)")
    }
  }

  @Test("stops reading when the load is cancelled")
  func cancellation() throws {
    let path = models.write("large.onnx", [8])
    try #require(unsafe truncate(path, 1 << 30) == 0)
    var asked = 0
    func isCancelled() -> Bool {
      asked += 1
      return asked == 3
    }
    let error = errorOf { () throws(SegmentationError) in
      try RegularFile.ofModel(path).bytes(isCancelled: isCancelled)
    }
    #expect(error?.description.contains("is no longer needed") == true)
    #expect(asked == 3)
  }

  @Test("embeds the weights to which a model refers")
  func embedding() throws {
    func tensor(_ entries: [(String, String)]) -> [UInt8] {
      [16, 1] + field(8, "w") + entries.flatMap { field(13, field(1, $0) + field(2, $1)) }
        + [112, 1]
    }
    func model(_ tensor: [UInt8]) -> [UInt8] { [8, 7] + field(7, field(5, tensor)) }
    let files = ["a.bin": [1, 2, 3, 4, 5] as [UInt8]]
    func embedded(_ entries: [(String, String)]) -> [UInt8]? {
      ONNXExternalData.embed(files, in: model(tensor([("location", "a.bin")] + entries)))
    }
    let whole = try #require(embedded([]))
    #expect(ONNXExternalData.locations(in: whole) == [])
    #expect(whole.starts(with: [8, 7]) && whole.suffix(7) == [74, 5, 1, 2, 3, 4, 5])
    #expect(embedded([("offset", "1"), ("length", "2")])?.suffix(4) == [74, 2, 2, 3])
    for entry in [("offset", "6"), ("length", "6"), ("offset", "-1"), ("length", "x")] {
      #expect(embedded([entry]) == nil, "\(entry)")
    }
  }

  @Test func allTensorsAreFound() {
    let found = ["weight.bin", "value.bin"]
    let model = TestFile.bytes(fixture("external.onnx"))
    #expect(ONNXExternalData.locations(in: model) == Set(found))
    #expect(ONNXExternalData.locations(in: TestFile.bytes(fixture("recurrent.onnx"))) == [])
    // Every place where a model can have tensors. The numbers are the protobuf fields on the way.
    let tensor = field(13, field(1, "location") + field(2, "a.bin"))
    for way in [
      [7, 5], [7, 15, 1], [7, 15, 2], [7, 1, 5, 5], [7, 1, 5, 10], [7, 1, 5, 22, 1],
      [7, 1, 5, 23, 2], [7, 1, 5, 6, 5], [7, 1, 5, 11, 1, 5, 6, 5], [20, 1, 5], [20, 2, 5],
      [25, 7, 5, 5], [25, 11, 5],
    ] as [[UInt8]] {
      let model = way.reversed().reduce(tensor) { field($1, $0) }
      #expect(ONNXExternalData.locations(in: model) == ["a.bin"], "\(way)")
      #expect(ONNXExternalData.locations(in: model.dropLast() + []) == nil, "\(way)")
    }
    // Invalid text, then nesting beyond the depth limit.
    let noText = field(7, field(5, field(13, field(1, "location") + field(2, [0xFF]))))
    #expect(ONNXExternalData.locations(in: noText) == nil)
    var deep = field(1, field(5, []))
    for _ in 0..<60 { deep = field(1, field(5, field(6, deep))) }
    #expect(ONNXExternalData.locations(in: field(7, deep)) == nil)
  }

  @Test func acceptsBytesThatAreNotAModel() {
    let model = TestFile.bytes(fixture("external.onnx"))
    for count in 0..<model.count { _ = ONNXExternalData.locations(in: Array(model.prefix(count))) }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      var bytes = model
      for _ in 0..<8 {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      _ = ONNXExternalData.embed(["weight.bin": [0], "value.bin": []], in: bytes)
    }
    // A key of more than 32 bits, of which other parsers read only the lowest.
    #expect(ONNXExternalData.locations(in: [0xBA, 0x80, 0x80, 0x80, 0x10, 0]) == nil)
    // A length that is too large, and an integer without an end.
    let longest = [UInt8](repeating: 0xFF, count: 9) + [1]
    #expect(ONNXExternalData.locations(in: [7 << 3 | 2] + longest) == nil)
    #expect(ONNXExternalData.locations(in: [UInt8](repeating: 0xFF, count: 40)) == nil)
  }

  private func field(_ number: UInt8, _ text: String) -> [UInt8] {
    field(number, Array(text.utf8))
  }

  /// Encodes a protobuf field with a length.
  ///
  /// The key and the length take two bytes each.
  private func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    func integer(_ value: Int) -> [UInt8] {
      [UInt8(value & 0x7F) | 0x80, UInt8(value >> 7)]
    }
    return integer(Int(number) << 3 | 2) + integer(content.count) + content
  }
}
