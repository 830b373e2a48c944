/// How well the person is found, and at what cost.
public enum Quality: String, CaseIterable, Sendable {
  /// A small network: about a millisecond a frame.
  case fast
  /// A recurrent matting network at a small size.
  case balanced
  /// The same at twice the size.
  case accurate
}

/// Which network serves which quality, and what takes its place where it is not installed.
public enum QualityLadder {
  /// A network of the ladder.
  public struct Rung: Equatable, Sendable {
    /// The quality that the network stands for.
    public let quality: Quality
    /// The name of its file in the models folder.
    public let file: String
    /// Lines of its input, for a network that takes any size; others ignore it.
    public let lines: Int
  }

  /// The files of all networks of the ladder.
  public static let files = [landscapeSelfie, squareSelfie, matting]

  static let landscapeSelfie = "selfie_segmentation_landscape.tflite"
  static let squareSelfie = "selfie_segmentation.tflite"
  static let matting = "rvm_mobilenetv3_fp32.onnx"

  /// The networks to try for a quality, best first: those that are `installed`.
  ///
  /// The small networks come in two shapes; the one that is nearer to the frame's comes first, the
  /// other stands in for it. Without any installed network the result is empty.
  public static func rungs(
    for quality: Quality, frameWidth: Int, frameHeight: Int, installed: Set<String>
  ) -> [Rung] {
    let all: [Rung] =
      switch quality {
      case .fast: fast(frameWidth, frameHeight)
      case .balanced:
        [Rung(quality: .balanced, file: matting, lines: 144)]
          + fast(frameWidth, frameHeight)
      case .accurate:
        [
          Rung(quality: .accurate, file: matting, lines: 288),
          Rung(quality: .balanced, file: matting, lines: 144),
        ] + fast(frameWidth, frameHeight)
      }
    return all.filter { installed.contains($0.file) }
  }

  private static func fast(_ frameWidth: Int, _ frameHeight: Int) -> [Rung] {
    // 256x144 against 256x256: from 6:5 on, a stretched frame suffers less in the wide one, which
    // also was trained on more of what cameras see.
    let isWide = frameWidth * 5 >= frameHeight * 6
    let files = isWide ? [landscapeSelfie, squareSelfie] : [squareSelfie, landscapeSelfie]
    return files.map { Rung(quality: .fast, file: $0, lines: 0) }
  }
}
