import PixelTypes
import Processor
import Testing

extension Colorimetry: CustomTestStringConvertible {
  /// The name in test output.
  public var testDescription: String { "\(matrix) \(range)" }

  fileprivate static let all: [Colorimetry] = [Matrix.bt601, .bt709, .bt2020].flatMap { matrix in
    [Range.limited, .full].map { Colorimetry(matrix: matrix, range: $0) }
  }
}

@Suite struct ColorimetryTests {
  typealias Bytes = [UInt8]

  /// Red, green and blue, and their code values according to the Recommendations.
  static let samples: [(Colorimetry.Matrix, Colorimetry.Range, rgb: Bytes, codes: Bytes)] = [
    // Colour bars at full amplitude.
    (.bt601, .limited, [255, 0, 0], [81, 90, 240]),
    (.bt601, .limited, [0, 255, 0], [145, 54, 34]),
    (.bt601, .limited, [0, 0, 255], [41, 240, 110]),
    (.bt601, .limited, [255, 255, 0], [210, 16, 146]),
    (.bt709, .limited, [255, 0, 0], [63, 102, 240]),
    (.bt709, .limited, [0, 255, 0], [173, 42, 26]),
    (.bt709, .limited, [0, 0, 255], [32, 240, 118]),
    (.bt709, .limited, [0, 255, 255], [188, 154, 16]),
    (.bt2020, .limited, [255, 0, 0], [74, 97, 240]),
    (.bt2020, .limited, [0, 255, 0], [164, 47, 25]),
    (.bt2020, .limited, [0, 0, 255], [29, 240, 119]),
    // JPEG's colours.
    (.bt601, .full, [255, 0, 0], [76, 85, 255]),
    (.bt601, .full, [0, 255, 0], [150, 44, 21]),
    (.bt601, .full, [0, 0, 255], [29, 255, 107]),
    (.bt709, .full, [255, 0, 0], [54, 99, 255]),
    (.bt709, .full, [0, 0, 255], [18, 255, 116]),
  ]

  @Test("code values match the Recommendations")
  func codeValues() {
    for sample in Self.samples {
      let code = Colorimetry(matrix: sample.0, range: sample.1).codeValues(
        red: sample.rgb[0], green: sample.rgb[1], blue: sample.rgb[2])
      #expect([code.luma, code.cb, code.cr] == sample.codes)
    }
  }

  @Test("greys have no colour", arguments: Colorimetry.all)
  func greys(colorimetry: Colorimetry) {
    for level in 0...255 as ClosedRange<UInt8> {
      let code = colorimetry.codeValues(red: level, green: level, blue: level)
      #expect(code.cb == 128 && code.cr == 128)
    }
    let black = colorimetry.codeValues(red: 0, green: 0, blue: 0).luma
    let white = colorimetry.codeValues(red: 255, green: 255, blue: 255).luma
    #expect([black, white] == (colorimetry.range == .limited ? [16, 235] : [0, 255]))
  }

  @Test(
    "coefficients are the published ones",
    arguments: [
      (.bt601, .limited, [1.16438, 1.59603, -0.39176, -0.81297, 2.01723]),
      (.bt709, .limited, [1.16438, 1.79274, -0.21325, -0.53291, 2.11240]),
      (.bt2020, .limited, [1.16438, 1.67867, -0.18733, -0.65042, 2.14177]),
      (.bt601, .full, [1, 1.402, -0.344136, -0.714136, 1.772]),
      (.bt709, .full, [1, 1.5748, -0.187324, -0.468124, 1.8556]),
    ] as [(Colorimetry.Matrix, Colorimetry.Range, [Float])])
  func coefficients(matrix: Colorimetry.Matrix, range: Colorimetry.Range, published: [Float]) {
    let c = RGBCoefficients(Colorimetry(matrix: matrix, range: range), low: 0, high: 255)
    let values = [c.green.luma, c.redFromCr, c.greenFromCb, c.greenFromCr, c.blueFromCb]
    #expect(zip(values, published).allSatisfy { abs($0 - $1) <= 1e-5 })
    #expect([c.red, c.green, c.blue].allSatisfy { $0.low == 0 && $0.high == 255 })
  }

  /// A channel's result does not depend on the ranges of the other channels.
  @Test("black and white span the range of each channel", arguments: Colorimetry.all)
  func ranges(colorimetry: Colorimetry) {
    let ranges = [(-2.1, 2.6), (-1, 1), (0, 255)].map { SampleRange(low: $0, high: $1) }
    let mixed = RGBCoefficients(colorimetry, red: ranges[0], green: ranges[1], blue: ranges[2])
    let alike = ranges.map { RGBCoefficients(colorimetry, low: $0.low, high: $0.high) }
    #expect(mixed.red == alike[0].red && mixed.redFromCr == alike[0].redFromCr)
    #expect(mixed.green == alike[1].green && mixed.greenFromCb == alike[1].greenFromCb)
    #expect(mixed.greenFromCr == alike[1].greenFromCr)
    #expect(mixed.blue == alike[2].blue && mixed.blueFromCb == alike[2].blueFromCb)
    let (offset, span, _) = colorimetry.scale
    for (channel, range) in zip([mixed.red, mixed.green, mixed.blue], ranges) {
      let tolerance = (range.high - range.low) * 1e-6
      #expect(abs(channel.luma * Float(offset) + channel.offset - range.low) <= tolerance)
      #expect(abs(channel.luma * Float(offset + span) + channel.offset - range.high) <= tolerance)
    }
  }

  /// Converts a lattice of colours to code values, and back to RGB with both kernels.
  @Test("colours survive a round trip to RGB", arguments: Colorimetry.all)
  func roundTrip(colorimetry: Colorimetry) {
    let kernels = InstructionSet.baseline.kernels
    let levels = stride(from: UInt8(0), through: 255, by: 15)
    let colors = levels.flatMap { red in
      levels.flatMap { green in levels.map { (red: red, green: green, blue: $0) } }
    }
    let codes = colors.map { colorimetry.codeValues(red: $0.red, green: $0.green, blue: $0.blue) }
    let count = colors.count

    let empty = [Float](repeating: 7, count: count)
    var (red, green, blue) = (empty, empty, empty)
    unsafe kernels.convertToRGB(
      codes.map { Float($0.luma) }, codes.map { Float($0.cb) }, codes.map { Float($0.cr) },
      RGBCoefficients(colorimetry, low: 0, high: 255), &red, &green, &blue, 1, count)
    var pixels = [UInt8](repeating: 7, count: 4 * count)
    unsafe kernels.packRGB(
      codes.map(\.luma), codes.flatMap { [$0.cb, $0.cr] }, [UInt8](repeating: 255, count: count),
      FixedRGBCoefficients(colorimetry), PixelByteOrder(red: 0, green: 1, blue: 2, alpha: 3),
      &pixels, count)
    var worst: Float = 0
    for (i, color) in colors.enumerated() {
      let wanted = [color.red, color.green, color.blue].map { Float($0) }
      for (channel, float) in [red[i], green[i], blue[i]].enumerated() {
        worst = max(worst, abs(float.rounded() - wanted[channel]))
        worst = max(worst, abs(Float(pixels[4 * i + channel]) - wanted[channel]))
      }
    }
    #expect(worst <= (colorimetry.range == .full ? 1 : 2))
  }
}
