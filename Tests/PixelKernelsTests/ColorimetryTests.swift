import PixelTypes
import TestSupport
import Testing

extension Colorimetry: CustomTestStringConvertible {
  /// The name in test output.
  public var testDescription: String { "\(matrix) \(range)" }

  fileprivate static let all: [Colorimetry] = [Matrix.bt601, .bt709, .bt2020].flatMap { matrix in
    [Range.limited, .full].map { Colorimetry(matrix: matrix, range: $0) }
  }
}

@Suite(.everyInstructionSet) struct ColorimetryTests {
  /// Red, green and blue, and their code values according to the Recommendations.
  struct Sample: Sendable {
    let colorimetry: Colorimetry
    let rgb: [UInt8]
    let codes: [UInt8]

    init(_ matrix: Colorimetry.Matrix, _ range: Colorimetry.Range, _ rgb: [UInt8], _ codes: [UInt8])
    {
      colorimetry = Colorimetry(matrix: matrix, range: range)
      self.rgb = rgb
      self.codes = codes
    }
  }

  static let samples = [
    // Colour bars at full amplitude.
    Sample(.bt601, .limited, [255, 0, 0], [81, 90, 240]),
    Sample(.bt601, .limited, [0, 255, 0], [145, 54, 34]),
    Sample(.bt601, .limited, [0, 0, 255], [41, 240, 110]),
    Sample(.bt601, .limited, [255, 255, 0], [210, 16, 146]),
    Sample(.bt601, .limited, [0, 255, 255], [170, 166, 16]),
    Sample(.bt601, .limited, [255, 0, 255], [106, 202, 222]),
    Sample(.bt709, .limited, [255, 0, 0], [63, 102, 240]),
    Sample(.bt709, .limited, [0, 255, 0], [173, 42, 26]),
    Sample(.bt709, .limited, [0, 0, 255], [32, 240, 118]),
    Sample(.bt709, .limited, [255, 255, 0], [219, 16, 138]),
    Sample(.bt709, .limited, [0, 255, 255], [188, 154, 16]),
    Sample(.bt709, .limited, [255, 0, 255], [78, 214, 230]),
    Sample(.bt2020, .limited, [255, 0, 0], [74, 97, 240]),
    Sample(.bt2020, .limited, [0, 255, 0], [164, 47, 25]),
    Sample(.bt2020, .limited, [0, 0, 255], [29, 240, 119]),
    // JPEG's colours.
    Sample(.bt601, .full, [255, 0, 0], [76, 85, 255]),
    Sample(.bt601, .full, [0, 255, 0], [150, 44, 21]),
    Sample(.bt601, .full, [0, 0, 255], [29, 255, 107]),
    Sample(.bt709, .full, [255, 0, 0], [54, 99, 255]),
    Sample(.bt709, .full, [0, 0, 255], [18, 255, 116]),
  ]

  @Test(arguments: samples)
  func codeValuesMatchTheRecommendations(sample: Sample) {
    let code = sample.colorimetry.codeValues(
      red: sample.rgb[0], green: sample.rgb[1], blue: sample.rgb[2])
    #expect([code.luma, code.cb, code.cr] == sample.codes)
  }

  @Test(arguments: Colorimetry.all)
  func greysHaveNoColour(colorimetry: Colorimetry) {
    for level in 0...255 as ClosedRange<UInt8> {
      let code = colorimetry.codeValues(red: level, green: level, blue: level)
      #expect(code.cb == 128 && code.cr == 128)
    }
    let black = colorimetry.codeValues(red: 0, green: 0, blue: 0).luma
    let white = colorimetry.codeValues(red: 255, green: 255, blue: 255).luma
    #expect([black, white] == (colorimetry.range == .limited ? [16, 235] : [0, 255]))
  }

  @Test(
    arguments: [
      (
        Colorimetry.Matrix.bt601, Colorimetry.Range.limited,
        [1.16438, 1.59603, -0.39176, -0.81297, 2.01723]
      ),
      (.bt709, .limited, [1.16438, 1.79274, -0.21325, -0.53291, 2.11240]),
      (.bt2020, .limited, [1.16438, 1.67867, -0.18733, -0.65042, 2.14177]),
      (.bt601, .full, [1, 1.402, -0.344136, -0.714136, 1.772]),
      (.bt709, .full, [1, 1.5748, -0.187324, -0.468124, 1.8556]),
    ] as [(Colorimetry.Matrix, Colorimetry.Range, [Double])])
  func coefficientsAreThePublishedOnes(
    matrix: Colorimetry.Matrix, range: Colorimetry.Range, published: [Double]
  ) {
    let c = RGBCoefficients(Colorimetry(matrix: matrix, range: range), low: 0, high: 255)
    let values = [c.green.luma, c.redFromCr, c.greenFromCb, c.greenFromCr, c.blueFromCb]
    #expect(isClose(values, to: published, within: 1e-5))
    #expect([c.red, c.green, c.blue].allSatisfy { $0.low == 0 && $0.high == 255 })
  }

  @Test(arguments: Colorimetry.all, [(0, 1), (-1, 1), (0, 255)] as [(Float, Float)])
  func blackAndWhiteSpanTheRange(colorimetry: Colorimetry, range: (low: Float, high: Float)) {
    let c = RGBCoefficients(colorimetry, low: range.low, high: range.high)
    let (offset, span, _) = colorimetry.scale
    let tolerance = Double(range.high - range.low) * 1e-6
    for channel in [c.red, c.green, c.blue] {
      let black = channel.luma * Float(offset) + channel.offset
      let white = channel.luma * Float(offset + span) + channel.offset
      #expect(
        isClose([black, white], to: [Double(range.low), Double(range.high)], within: tolerance))
    }
  }

  /// A channel's result does not depend on the ranges of the other channels.
  @Test(arguments: Colorimetry.all)
  func channelsAreIndependent(colorimetry: Colorimetry) {
    let ranges = [(-2.1, 2.6), (-1, 1), (0, 255)].map { SampleRange(low: $0, high: $1) }
    let mixed = RGBCoefficients(colorimetry, red: ranges[0], green: ranges[1], blue: ranges[2])
    let alike = ranges.map { RGBCoefficients(colorimetry, low: $0.low, high: $0.high) }
    #expect(mixed.red == alike[0].red && mixed.redFromCr == alike[0].redFromCr)
    #expect(mixed.green == alike[1].green && mixed.greenFromCb == alike[1].greenFromCb)
    #expect(mixed.greenFromCr == alike[1].greenFromCr)
    #expect(mixed.blue == alike[2].blue && mixed.blueFromCb == alike[2].blueFromCb)
  }

  /// Converts a lattice of colours to code values, and back to RGB with the kernel.
  @Test(arguments: Colorimetry.all)
  func codeValuesSurviveARoundTripToRGB(colorimetry: Colorimetry) {
    let levels = stride(from: 0, through: 255, by: 15).map { UInt8($0) }
    let codes = levels.flatMap { red in
      levels.flatMap { green in
        levels.map { blue in colorimetry.codeValues(red: red, green: green, blue: blue) }
      }
    }
    let luma = SampleRow(codes.map { Float($0.luma) }, at: .pageEnd)
    let cb = SampleRow(codes.map { Float($0.cb) }, at: .pageEnd)
    let cr = SampleRow(codes.map { Float($0.cr) }, at: .pageEnd)
    let rgb = SampleRow(Array(repeating: Float(7), count: 3 * codes.count), at: .pageEnd)
    let bytes = SampleRow(Array(repeating: 7 as UInt8, count: 3 * codes.count), at: .pageEnd)
    unsafe kernels.convertToRGB(
      luma.base, cb.base, cr.base, RGBCoefficients(colorimetry, low: 0, high: 1), rgb.base,
      rgb.base + 1, rgb.base + 2, 3, codes.count)
    unsafe kernels.quantize(rgb.base, bytes.base, 3 * codes.count)

    let result = bytes.samples
    for (i, code) in codes.enumerated() {
      let again = colorimetry.codeValues(
        red: result[3 * i], green: result[3 * i + 1], blue: result[3 * i + 2])
      let differences = [
        Int(again.luma) - Int(code.luma), Int(again.cb) - Int(code.cb),
        Int(again.cr) - Int(code.cr),
      ]
      #expect(differences.allSatisfy { abs($0) <= 1 }, "\(code) became \(again)")
    }
  }
}
