/// The quality of the segmentation, which determines its cost.
public enum Quality: String, CaseIterable, Comparable, Sendable {
  /// A small network: about a millisecond per frame.
  case fast
  /// A recurrent matting network at a small input size.
  case balanced
  /// The network of `balanced` at nearly twice the input size.
  case accurate

  /// Orders qualities by cost, the cheapest first.
  public static func < (a: Self, b: Self) -> Bool {
    let order = allCases
    return (order.firstIndex(of: a) ?? 0) < (order.firstIndex(of: b) ?? 0)
  }
}

/// The network for each quality, and its replacements if it is not installed.
public enum QualityLadder {
  /// A network of the ladder.
  public struct Rung: Equatable, Sendable {
    /// The quality that the network provides.
    public let quality: Quality
    /// The name of its file in the models folder.
    public let file: String
    /// The input size: about as many pixels as a 16:9 frame with this number of lines.
    ///
    /// Networks with a fixed input size ignore it.
    public let lines: Int
    /// The networks for the crop around the people, or nil if only whole frames are segmented.
    public let crop: CropFiles?
  }

  /// The networks that segment a crop around the people.
  public struct CropFiles: Equatable, Sendable {
    /// The file of the network that segments the crop.
    public let file: String
    /// The file of the network for the full-frame passes.
    public let peopleFinder: String
    /// The number of input lines of the low-resolution pass, or nil without such a pass.
    ///
    /// The pass runs the network of `file` at this smaller size. It finds parts of people that the
    /// network misses at its normal size.
    public let coarseLines: Int?
    /// The file of the network that confirms people together with `peopleFinder`.
    public let witness: String
    /// The margin around the people that suits the network of `file`.
    public let margins: CropMargins
  }

  /// The files of all networks of the ladder.
  public static let files = [landscapeSelfie, squareSelfie, matting]

  static let landscapeSelfie = "selfie_segmentation_landscape.tflite"
  static let squareSelfie = "selfie_segmentation.tflite"
  static let matting = "rvm_mobilenetv3_fp32.onnx"

  /// Returns the input size for networks without a fixed size, as in `Rung.lines`.
  public static func lines(for quality: Quality) -> Int { quality == .accurate ? 288 : 160 }

  /// Returns the `installed` networks to try for a quality, the best first.
  ///
  /// The small networks come in two shapes. The shape closer to the frame's comes first, and the
  /// other replaces it if necessary. Without any installed network the result is empty.
  public static func rungs(
    for quality: Quality, frameWidth: Int, frameHeight: Int, installed: Set<String>
  ) -> [Rung] {
    let small = fast(frameWidth, frameHeight).filter { installed.contains($0) }
    let peopleFinder = small.first
    func matting(_ quality: Quality) -> [Rung] {
      guard installed.contains(Self.matting) else { return [] }
      return [
        Rung(
          quality: quality, file: Self.matting, lines: lines(for: quality),
          crop: peopleFinder.map {
            CropFiles(
              file: Self.matting, peopleFinder: $0,
              coarseLines: quality == .accurate ? lines(for: .balanced) : nil,
              witness: Self.matting, margins: mattingMargins)
          })
      ]
    }
    let rungs = small.map { file in
      Rung(
        quality: .fast, file: file, lines: 0,
        crop: installed.contains(squareSelfie)
          ? CropFiles(
            file: squareSelfie, peopleFinder: file, coarseLines: nil,
            witness: installed.contains(Self.matting) ? Self.matting : squareSelfie,
            margins: selfieMargins) : nil)
    }
    return switch quality {
    case .fast: rungs
    case .balanced: matting(.balanced) + rungs
    case .accurate: matting(.accurate) + matting(.balanced) + rungs
    }
  }

  /// Returns the qualities for which the intended network is `installed`, the cheapest first.
  public static func qualities(installed: Set<String>) -> [Quality] {
    // The shape of the frames only decides between networks of the same quality.
    Quality.allCases.filter { quality in
      rungs(for: quality, frameWidth: 16, frameHeight: 9, installed: installed).first?.quality
        == quality
    }
  }

  // The values were found with `meson-helper/evaluate`. In the training data of the small network,
  // people fill the picture. The large network needs some background around them.
  private static let selfieMargins = CropMargins(margin: 0.04, maxShare: 0.6)
  private static let mattingMargins = CropMargins(margin: 0.12, maxShare: 0.9)

  private static func fast(_ frameWidth: Int, _ frameHeight: Int) -> [String] {
    // The input sizes are 256x144 and 256x256. From an aspect ratio of 6:5 on, the wide network
    // distorts a frame less. Its training data was also closer to camera pictures.
    let isWide = frameWidth * 5 >= frameHeight * 6
    return isWide ? [landscapeSelfie, squareSelfie] : [squareSelfie, landscapeSelfie]
  }
}
