import InferenceTypes
import PixelTypes

extension FaceAnchors {
  /// The anchors in the order of the network's output, in pixels of its input.
  static let points: [FacePoint] = layers.flatMap { layer in
    let step = Float(inputSize / layer.cells)
    return (0..<layer.cells * layer.cells * layer.perCell).map { index in
      let cell = index / layer.perCell
      return FacePoint(
        x: (Float(cell % layer.cells) + 0.5) * step, y: (Float(cell / layer.cells) + 0.5) * step)
    }
  }

  /// The input of BlazeFace for short range, for a picture that keeps its proportions or not.
  package static func inputFormat(_ fit: TensorFormat.Fit) -> TensorFormat {
    TensorFormat(
      width: FaceAnchors.inputSize, height: FaceAnchors.inputSize, layout: .interleaved, fit: fit,
      range: SampleRange(low: -1, high: 1))
  }
}
