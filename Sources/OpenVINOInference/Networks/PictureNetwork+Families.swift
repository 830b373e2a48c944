import InferenceTypes
import PixelTypes

extension PictureNetwork {
  /// Returns the description of a network with one input, and one output of the same size, the
  /// matte.
  static func selfie(_ format: TensorFormat) -> Self {
    PictureNetwork(
      input: format,
      output: OutputFormat(width: format.width, height: format.height, layout: format.layout))
  }

  /// Returns the description of U-2-Net.
  ///
  /// The input is RGB normalised as for ImageNet, and the first output is the matte.
  ///
  /// Two steps of U-2-Net's authors are omitted:
  /// - They and rembg stretch each matte to the range 0 to 1. With a salient object this has no
  ///   effect: the matte reaches 0.99999 (measured). Without one it turns noise into a subject, for
  ///   example in a picture of the sky with a matte of at most 0.1.
  /// - They divide the picture by its maximum, which causes flicker in a video.
  static func salientObjects(width: Int, height: Int) -> Self {
    var input = TensorFormat(width: width, height: height, layout: .planar, fit: .stretch)
    input.red = SampleRange(mean: 0.485, deviation: 0.229)
    input.green = SampleRange(mean: 0.456, deviation: 0.224)
    input.blue = SampleRange(mean: 0.406, deviation: 0.225)
    return PictureNetwork(
      input: input, output: OutputFormat(width: width, height: height, layout: .planar))
  }

  /// Returns the description of DeepLabV3 with the 21 classes of PASCAL VOC.
  ///
  /// The network's output precedes the softmax.
  static func pascalClasses(width: Int, height: Int) -> Self {
    PictureNetwork(
      input: TensorFormat(
        width: width, height: height, layout: .interleaved, fit: .stretch,
        range: SampleRange(low: -1, high: 1)),
      output: OutputFormat(
        width: width, height: height, channels: pascalClasses.count, layout: .interleaved,
        values: .softmaxLogits),
      classes: pascalClasses)
  }

  /// The classes of PASCAL VOC, in the order of all its networks.
  static let pascalClasses = [
    "background", "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair",
    "cow", "diningtable", "dog", "horse", "motorbike", "person", "pottedplant", "sheep", "sofa",
    "train", "tvmonitor",
  ]
}

extension OutputFormat {
  /// Creates the format of an output with four dimensions.
  init(
    width: Int, height: Int, channels: Int = 1, layout: TensorFormat.Layout,
    values: Values = .probabilities
  ) {
    let shape =
      layout == .planar ? [1, channels, height, width] : [1, height, width, channels]
    self.init(
      shape: shape, width: width, height: height, channels: channels, layout: layout,
      values: values)
  }
}

extension SampleRange {
  /// Creates the range that 0 to 1 becomes after subtraction of `mean` and division by `deviation`.
  init(mean: Float, deviation: Float) {
    self.init(low: -mean / deviation, high: (1 - mean) / deviation)
  }
}
