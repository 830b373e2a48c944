import Glibc
import Matting
import PixelTypes
import TestSupport
import Testing

@testable import OpenVINOInference

/// The conversion of network outputs to mattes.
struct OutputReaderTests {
  private static let width = 13, height = 5
  private static let area = width * height

  /// Returns the matte for the given value of each pixel and channel.
  private func read(
    _ format: OutputFormat, kept: [Int], width: Int = width, height: Int = height,
    _ value: (_ pixel: Int, _ channel: Int) -> Float
  ) -> [Float] {
    let area = format.width * format.height
    let output = Raster<Float>(width: area, height: format.channels, filledWith: 0)
    for pixel in 0..<area {
      for channel in 0..<format.channels {
        let index =
          format.layout == .planar ? channel * area + pixel : pixel * format.channels + channel
        unsafe output.base[index] = value(pixel, channel)
      }
    }
    let reader = OutputReader(format, kept: kept, width: width, height: height)
    let matte = unsafe reader.read(output.base)
    return withExtendedLifetime((reader, output)) {
      unsafe Array(UnsafeBufferPointer(start: matte.base, count: matte.width * matte.height))
    }
  }

  private func format(
    _ channels: Int, _ layout: TensorFormat.Layout, _ values: OutputFormat.Values
  ) -> OutputFormat {
    OutputFormat(
      width: Self.width, height: Self.height, channels: channels, layout: layout, values: values)
  }

  @Test(arguments: [TensorFormat.Layout.planar, .interleaved], [2, 3, 21])
  func softmax(layout: TensorFormat.Layout, channels: Int) {
    var generator = SeededGenerator(seed: UInt64(channels))
    let logits = (0..<Self.area * channels).map { _ in
      Float.random(in: -30...30, using: &generator)
    }
    for kept in [[0], [channels - 1], Array(1..<channels)] {
      let matte = read(format(channels, layout, .softmaxLogits), kept: kept) {
        logits[$0 * channels + $1]
      }
      for pixel in 0..<Self.area {
        let powers = (0..<channels).map { exp(Double(logits[pixel * channels + $0])) }
        let expected = kept.map { powers[$0] }.reduce(0, +) / powers.reduce(0, +)
        #expect(abs(Double(matte[pixel]) - expected) < 2e-6)
      }
    }
  }

  /// The result is a valid share even if logits are far apart or their exponential overflows.
  @Test(arguments: [TensorFormat.Layout.planar, .interleaved])
  func softmaxOfExtremes(layout: TensorFormat.Layout) {
    let logits: [[Float]] = [
      [1000, -1000], [-1e30, 1e30], [3e38, 3e38], [-3e38, -3e38], [0, 0],
    ]
    let matte = read(format(2, layout, .softmaxLogits), kept: [1]) { logits[$0 % 5][$1] }
    let expected: [Float] = [0, 1, 0.5, 0.5, 0.5]
    for (pixel, alpha) in matte.enumerated() {
      let difference = abs(alpha - expected[pixel % 5])
      #expect(difference < 1e-6)
    }
  }

  @Test(arguments: [TensorFormat.Layout.planar, .interleaved], [1, 3])
  func sigmoid(layout: TensorFormat.Layout, channels: Int) {
    let values = [-3e38, -90, -5, -0.5, 0, 0.25, 7, 90, 3e38] as [Float]
    func logit(_ pixel: Int, _ channel: Int) -> Float { values[(pixel + channel) % values.count] }
    let kept = Array(0..<channels)
    let matte = read(format(channels, layout, .sigmoidLogits), kept: kept, logit)
    for pixel in 0..<Self.area {
      let greatest = kept.map { Double(logit(pixel, $0)) }.max() ?? 0
      let expected = 1 / (1 + exp(-greatest))
      #expect(abs(Double(matte[pixel]) - expected) < 2e-6)
    }
  }

  @Test(arguments: [TensorFormat.Layout.planar, .interleaved])
  func probabilitiesAreAdded(layout: TensorFormat.Layout) {
    let matte = read(format(4, layout, .probabilities), kept: [1, 3]) {
      Float($0) / 128 + Float($1) / 16
    }
    let expected: [Float] = (0..<Self.area).map { Float($0) / 64 + 0.25 }
    #expect(matte == expected)
  }

  @Test func labels() {
    let labels: [Float] = [0, 1, 2, 15, 1023, -1, 2.9, 1e30, -1e30]
    let matte = read(format(1, .planar, .labels), kept: [1, 15]) { pixel, _ in
      labels[pixel % labels.count]
    }
    let expected: [Float] = (0..<Self.area).map { [1, 3].contains($0 % labels.count) ? 1 : 0 }
    #expect(matte == expected)
  }

  /// A gradient is preserved at any size, except in the outer half of the border samples.
  @Test(arguments: [(26, 10), (7, 3), (13, 11), (1, 1), (200, 2)])
  func scaling(width: Int, height: Int) {
    let matte = read(
      format(1, .planar, .probabilities), kept: [0], width: width, height: height
    ) { pixel, _ in Float(pixel % Self.width) + 100 * Float(pixel / Self.width) }
    #expect(matte.count == width * height)
    func place(_ i: Int, _ count: Int, _ source: Int) -> Double {
      min(max((Double(i) + 0.5) * Double(source) / Double(count) - 0.5, 0), Double(source - 1))
    }
    for y in 0..<height {
      for x in 0..<width {
        let expected = place(x, width, Self.width) + 100 * place(y, height, Self.height)
        #expect(abs(Double(matte[y * width + x]) - expected) < 1e-3)
      }
    }
  }
}
