import Glibc
import InputFiles
import Matting
import PixelTypes

/// The content of a `.modelinfo` file, which describes a network file in the same folder.
///
/// GStreamer's inference elements use the same format: each tensor has a section with its name.
/// - `dir`, `type`, `dims`, `ranges` and `caps` have the same meaning as in GStreamer.
/// - `id`, `group-id` and `dims-order` are accepted.
/// - All other keys are extensions, which GStreamer ignores.
struct ModelInfo {
  static let suffix = ".modelinfo"

  /// The expected properties of an input or output.
  struct Tensor {
    var name: String
    /// OpenVINO's name of the type.
    var type: String?
    /// The dimensions in the file, with -1 for an open dimension.
    var dims: [Int]?
    var layout: TensorFormat.Layout?
  }

  /// An output tensor.
  struct Output {
    var tensor: Tensor
    /// The meaning of the values, or nil for an unused output.
    var values: OutputFormat.Values?
    var channels: [Int]?
    var classes: [String]
  }

  let path: String
  let input: Tensor
  /// The format of the input, without its width, height and layout.
  let format: TensorFormat
  /// The picture size, for a network that accepts any size.
  let size: [Int]?
  /// The output with the matte.
  let output: Output
  let otherOutputs: [Tensor]

  /// Returns the path of a model's description, or nil if it does not exist.
  ///
  /// The description's name is the model's name with the suffix appended, or with the suffix in
  /// place of the extension.
  static func path(beside model: String) -> String? {
    var stem = model
    if let dot = model.lastIndex(of: "."), !model[dot...].contains("/") {
      stem = String(model[..<dot])
    }
    return [model + suffix, stem + suffix].first { unsafe access($0, F_OK) == 0 }
  }

  /// Reads a description.
  ///
  /// Throws `.descriptionInvalid` if the description is invalid, and `.modelUnreadable` if the file
  /// cannot be read.
  init(contentsOf path: String) throws(SegmentationError) {
    try self.init(KeyFile(RegularFile.ofModel(path).bytes(upTo: KeyFile.limit + 1), path: path))
  }

  /// Parses the sections of a file.
  init(_ file: KeyFile) throws(SegmentationError) {
    path = file.path
    var inputs: [(tensor: Tensor, format: TensorFormat, size: [Int]?)] = []
    var outputs: [Output] = []
    var hasHeader = false
    for section in file.sections {
      if section.name == "modelinfo" {
        try section.checkHeader()
        hasHeader = true
      } else if try section.isInput() {
        inputs.append(try section.input())
      } else {
        outputs.append(try section.output())
      }
    }
    func refuse(_ reason: String) -> SegmentationError {
      SegmentationError(.descriptionInvalid, "\(file.path): \(reason).")
    }
    guard hasHeader else { throw refuse("the section [modelinfo] with version=1.0 is missing") }
    guard inputs.count == 1 else {
      throw refuse("expected one section with dir=input, found \(inputs.count)")
    }
    let mattes = outputs.filter { $0.values != nil }
    guard mattes.count == 1 else {
      throw refuse(
        "expected one section with dir=output and the key values, which describes the matte, found "
          + "\(mattes.count)")
    }
    (input, format, size) = inputs[0]
    output = mattes[0]
    otherOutputs = outputs.filter { $0.values == nil }.map(\.tensor)
  }
}

extension KeySection {
  fileprivate func checkHeader() throws(SegmentationError) {
    try expectOnly(["version", "group-id"])
    let allowed = "1.0 or another version 1.x"
    guard let version = values["version"] else { throw missing("version", allowed: allowed) }
    guard let numbers = list(version, ".", { UInt16($0) }), numbers.count == 2, numbers[0] == 1
    else { throw wrong("version", allowed: allowed) }
  }

  fileprivate func isInput() throws(SegmentationError) -> Bool {
    if let isInput = try choice("dir", [("input", true), ("output", false)]) { return isInput }
    throw missing("dir", allowed: "one of input, output")
  }

  /// The supported types, with GStreamer's and OpenVINO's names.
  private static let types = [
    ("float32", "f32"), ("float16", "f16"), ("bfloat16", "bf16"), ("float64", "f64"),
    ("uint8", "u8"), ("int8", "i8"), ("int32", "i32"), ("int64", "i64"),
  ]

  /// Reads the keys of every tensor, and refuses keys that are not in `others` either.
  private func tensor(with others: [String]) throws(SegmentationError) -> ModelInfo.Tensor {
    try expectOnly(["dir", "id", "group-id", "type", "dims", "dims-order", "layout"] + others)
    _ = try choice("dims-order", [("row-major", ())])
    return ModelInfo.Tensor(
      name: name, type: try choice("type", Self.types),
      dims: try integers(
        "dims", in: -1...65536, allowed: "sizes joined by commas, -1 for any size"),
      layout: try choice("layout", [("nchw", .planar), ("nhwc", .interleaved)]))
  }

  fileprivate func input() throws(SegmentationError) -> (ModelInfo.Tensor, TensorFormat, [Int]?) {
    let tensor = try tensor(with: ["caps", "ranges", "mean", "std", "size", "fit", "filter"])
    var format = TensorFormat(
      width: 0, height: 0, layout: .planar,
      fit: try choice("fit", [("stretch", .stretch), ("letterbox", .letterbox)]) ?? .stretch,
      filter: try choice("filter", [("triangle", .triangle), ("lanczos", .lanczos)]) ?? .triangle)
    format.order = try order()
    let ranges = try ranges()
    (format.red, format.green, format.blue) =
      format.order == .rgb ? (ranges[0], ranges[1], ranges[2]) : (ranges[2], ranges[1], ranges[0])
    return (tensor, format, try size())
  }

  fileprivate func output() throws(SegmentationError) -> ModelInfo.Output {
    let tensor = try tensor(with: ["values", "channels", "classes"])
    let meaning = try choice("values", OutputFormat.Values.allCases.map { ($0.rawValue, $0) })
    let channels = try integers(
      "channels", in: 0...1023, allowed: "numbers from 0 to 1023 joined by commas")
    let classes = values["classes"].map { parts($0, ",").map(Subjects.normal) } ?? []
    if classes.contains("") || Set(classes).count < classes.count || classes.count > 1024 {
      throw wrong("classes", allowed: "different names joined by commas")
    }
    if channels != nil && !classes.isEmpty {
      throw wrong(
        "channels", allowed: "either channels or classes, of which the property subjects keeps some"
      )
    }
    return ModelInfo.Output(tensor: tensor, values: meaning, channels: channels, classes: classes)
  }

  /// Returns the colour order from the format in GStreamer caps.
  private func order() throws(SegmentationError) -> TensorFormat.ColorOrder {
    guard let caps = values["caps"] else { return .rgb }
    let fields = parts(caps, ",")
    let formats = fields.dropFirst().compactMap { field -> String? in
      let sides = parts(field, "=")
      return sides.count == 2 && sides[0] == "format" ? sides[1] : nil
    }.map { $0.hasPrefix("(string)") ? $0.dropFirst("(string)".count) : $0[...] }
    switch (fields.first, formats.first, formats.count) {
    case ("video/x-raw", "RGB", 1): return .rgb
    case ("video/x-raw", "BGR", 1): return .bgr
    default:
      throw wrong("caps", allowed: "video/x-raw,format=RGB or video/x-raw,format=BGR")
    }
  }

  /// Returns the ranges of the three channels in the order of the tensor.
  private func ranges() throws(SegmentationError) -> [SampleRange] {
    let (means, deviations) = (try numbers("mean"), try numbers("std"))
    let allowed =
      "the values for 0 and 255, such as 0.0,1.0, or three such pairs joined by semicolons"
    guard let text = values["ranges"] else {
      guard let means else { throw missing("ranges", allowed: allowed + "; or mean and std") }
      let deviations = deviations ?? [1, 1, 1]
      guard deviations.allSatisfy({ $0 >= 1e-6 }) else {
        throw wrong("std", allowed: "numbers greater than 0")
      }
      return zip(means, deviations).map { SampleRange(mean: $0, deviation: $1) }
    }
    if means != nil || deviations != nil {
      throw wrong("ranges", allowed: "either ranges, or mean and std")
    }
    guard let pairs = perChannel(list(text, ";", numbers(in:))),
      pairs.allSatisfy({ $0.count == 2 && $0[0] < $0[1] })
    else { throw wrong("ranges", allowed: allowed) }
    return pairs.map { SampleRange(low: $0[0], high: $0[1]) }
  }

  private func size() throws(SegmentationError) -> [Int]? {
    guard let text = values["size"] else { return nil }
    let range = 1...ModelFamily.largestSide
    guard let numbers = list(text, "x", { Int($0) }), numbers.count == 2,
      numbers.allSatisfy(range.contains)
    else { throw wrong("size", allowed: "WIDTHxHEIGHT, at most \(range.upperBound) per side") }
    return numbers
  }
}
