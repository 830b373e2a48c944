import InferenceTypes
import PixelTypes

extension PictureNetwork {
  /// A network with one input and one output of the same size, which is the matte.
  static func selfie(_ format: TensorFormat) -> Self {
    PictureNetwork(
      input: format,
      output: OutputFormat(width: format.width, height: format.height, layout: format.layout))
  }

  /// U-2-Net: RGB as for ImageNet, and the matte first among the outputs.
  ///
  /// Its authors stretch the matte of each picture to 0 to 1, and rembg does so too. Where something
  /// stands out that changes nothing: seen, the matte then reaches 0.99999. Where nothing does, as in
  /// a picture of the sky whose matte ends at 0.1, it would make a subject of noise; so the matte is
  /// taken as it is. Nor is the picture brightened to its own maximum, which flickers in a video.
  static func salientObjects(width: Int, height: Int) -> Self {
    var input = TensorFormat(width: width, height: height, layout: .planar, fit: .stretch)
    input.red = SampleRange(mean: 0.485, deviation: 0.229)
    input.green = SampleRange(mean: 0.456, deviation: 0.224)
    input.blue = SampleRange(mean: 0.406, deviation: 0.225)
    return PictureNetwork(
      input: input, output: OutputFormat(width: width, height: height, layout: .planar))
  }

  /// DeepLabV3 on 21 classes of PASCAL VOC, without the softmax at its end.
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

  /// The classes of PASCAL VOC, in the order in which all its networks have them.
  static let pascalClasses = [
    "background", "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair",
    "cow", "diningtable", "dog", "horse", "motorbike", "person", "pottedplant", "sheep", "sofa",
    "train", "tvmonitor",
  ]
}

extension OutputFormat {
  /// An output of four dimensions.
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
  /// What becomes of 0 to 1 when a mean is taken off and the rest divided by a deviation.
  init(mean: Float, deviation: Float) {
    self.init(low: -mean / deviation, high: (1 - mean) / deviation)
  }
}
