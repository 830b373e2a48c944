/// How well the person is found, and at what cost.
public enum Quality: String, CaseIterable, Sendable {
  /// A small network: about a millisecond a frame.
  case fast
  /// A recurrent matting network at a small size.
  case balanced
  /// The same at twice the size.
  case accurate
}

extension Quality: Comparable {
  /// By cost, the cheapest first.
  public static func < (a: Self, b: Self) -> Bool {
    let order = allCases
    return (order.firstIndex(of: a) ?? 0) < (order.firstIndex(of: b) ?? 0)
  }
}

/// Which network serves which quality, and what takes its place where it is not installed.
public enum QualityLadder {
  /// A network of the ladder.
  public struct Rung: Equatable, Sendable {
    /// The quality that the network stands for.
    public let quality: Quality
    /// The name of its file in the models folder.
    public let file: String
    /// Size of its input, for a network that takes any: about as many pixels as so many lines of
    /// 16:9 have; others ignore it.
    public let lines: Int
    /// How the part of the frame that shows the people is looked at; nil where only the whole is.
    public let crop: CropFiles?
  }

  /// The networks that follow the people.
  public struct CropFiles: Equatable, Sendable {
    /// The file of the network that looks at a part of the frame.
    public let file: String
    /// The file of the network that looks over the whole frame now and then.
    public let overview: String
    /// Lines at which the first one runs a second time now and then, for what it loses at its own
    /// size; nil where it does not.
    public let coarseLines: Int?
    /// How much of a frame the first one likes to see.
    public let framing: Framing
  }

  /// The files of all networks of the ladder.
  public static let files = [landscapeSelfie, squareSelfie, matting]

  static let landscapeSelfie = "selfie_segmentation_landscape.tflite"
  static let squareSelfie = "selfie_segmentation.tflite"
  static let matting = "rvm_mobilenetv3_fp32.onnx"

  /// Size of the input of a network that takes any, as in `Rung.lines`.
  public static func lines(for quality: Quality) -> Int { quality == .accurate ? 288 : 160 }

  /// The networks to try for a quality, best first: those that are `installed`.
  ///
  /// The small networks come in two shapes; the one that is nearer to the frame's comes first, the
  /// other stands in for it. Without any installed network the result is empty.
  public static func rungs(
    for quality: Quality, frameWidth: Int, frameHeight: Int, installed: Set<String>
  ) -> [Rung] {
    let small = fast(frameWidth, frameHeight).filter { installed.contains($0) }
    let overview = small.first
    func matting(_ quality: Quality) -> [Rung] {
      guard installed.contains(Self.matting) else { return [] }
      return [
        Rung(
          quality: quality, file: Self.matting, lines: lines(for: quality),
          crop: overview.map {
            CropFiles(
              file: Self.matting, overview: $0,
              coarseLines: quality == .accurate ? lines(for: .balanced) : nil,
              framing: mattingFraming)
          })
      ]
    }
    let rungs = small.map { file in
      Rung(
        quality: .fast, file: file, lines: 0,
        crop: installed.contains(squareSelfie)
          ? CropFiles(
            file: squareSelfie, overview: file, coarseLines: nil,
            framing: selfieFraming) : nil)
    }
    return switch quality {
    case .fast: rungs
    case .balanced: matting(.balanced) + rungs
    case .accurate: matting(.accurate) + matting(.balanced) + rungs
    }
  }

  /// The qualities whose own networks are `installed`, the cheapest first.
  public static func qualities(installed: Set<String>) -> [Quality] {
    // The shape of the frames decides between networks of one quality alone.
    Quality.allCases.filter { quality in
      rungs(for: quality, frameWidth: 16, frameHeight: 9, installed: installed).first?.quality
        == quality
    }
  }

  // Found with `meson-helper/evaluate`: the small network was trained on people who fill the
  // picture, the large one needs to see some of the room.
  private static let selfieFraming = Framing(margin: 0.04, maxShare: 0.6)
  private static let mattingFraming = Framing(margin: 0.12, maxShare: 0.9)

  private static func fast(_ frameWidth: Int, _ frameHeight: Int) -> [String] {
    // 256x144 against 256x256: from 6:5 on, a stretched frame suffers less in the wide one, which
    // also was trained on more of what cameras see.
    let isWide = frameWidth * 5 >= frameHeight * 6
    return isWide ? [landscapeSelfie, squareSelfie] : [squareSelfie, landscapeSelfie]
  }
}
