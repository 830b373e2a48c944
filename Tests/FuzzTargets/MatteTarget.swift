import PixelTypes
import Processor
import TestSupport

@testable import Matting
@testable import OpenVINOInference
@testable import VirtualBackground

extension FuzzTarget {
  /// Reads a network output into the frame, or uses a mask from upstream.
  func readMatte(_ bytes: [UInt8]) throws(Finding) {
    var input = FuzzInput(bytes)
    switch input.integer(in: 0...2) {
    case 0: try readOutput(&input)
    case 1: try placeFloats(&input)
    default: try placeMask(&input)
    }
  }

  // MARK: - Outputs

  /// Throws if the matte of a reader is wrong.
  ///
  /// The values are finite, as after an inference.
  private func readOutput(_ input: inout FuzzInput) throws(Finding) {
    let values = input.choice(OutputFormat.Values.allCases)
    // As in descriptions: a softmax has several channels, labels have one.
    let channels =
      switch values {
      case .labels: 1
      case .softmaxLogits: input.integer(in: 2...24)
      case .probabilities, .sigmoidLogits: input.integer(in: 1...24)
      }
    let format = OutputFormat(
      width: input.integer(in: 1...20), height: input.integer(in: 1...20), channels: channels,
      layout: input.choice([.planar, .interleaved]), values: values)
    let greatest = values == .labels ? 1023 : channels - 1
    var kept: [Int] = []
    for _ in 0..<input.integer(in: 1...5) {
      let channel = input.integer(in: 0...greatest)
      if !kept.contains(channel) { kept.append(channel) }
    }
    let isScaled = input.flag()
    let width = isScaled ? input.integer(in: 1...40) : format.width
    let height = isScaled ? input.integer(in: 1...40) : format.height
    let count = format.shape.reduce(1, *)
    let numbers =
      values == .labels && input.flag()
      ? (0..<count).map { _ in Float(input.integer(in: -1...1024)) }
      : input.floats(count, finite: true)
    let tensor = ExactMemory(numbers)
    let reader = OutputReader(format, kept: kept, width: width, height: height)
    let matte = unsafe reader.read(tensor.base)
    try expect(
      (matte.width, matte.height) == (width, height),
      "the matte does not have its picture's size: \(matte.width)x\(matte.height)")
    for index in 0..<width * height {
      let alpha = unsafe matte.base[index]
      switch values {
      case .probabilities:
        // The values of a network need not be probabilities.
        break
      case .sigmoidLogits, .softmaxLogits:
        try expect(-1e-5...1.00001 ~= alpha, "\(values) became \(alpha), from \(numbers)")
      case .labels:
        try expect(0...1 ~= alpha, "a label became an alpha outside of 0 to 1: \(alpha)")
        guard !isScaled else { continue }
        let label = numbers[index]
        // At the exact midpoint of two labels, either is accepted.
        if label >= 0, abs(label - label.rounded()) != 0.5 {
          let isKept = kept.contains { abs(label - Float($0)) < 0.5 }
          try expect(isKept == (alpha == 1), "the label \(label) became \(alpha)")
        }
      }
    }
    withExtendedLifetime((tensor, reader)) {}
  }

  /// Converts any floats.
  ///
  /// Only numbers above 0 are person.
  private func placeFloats(_ input: inout FuzzInput) throws(Finding) {
    let format = FrameFormat(&input)
    let (width, height) = (input.integer(in: 1...24), input.integer(in: 1...24))
    let floats = input.floats(width * height)
    let view = PixelRegion(&input, within: format)
    InstructionSet.current = input.choice(InstructionSet.available)
    let grid = MatteGrid(format: format, shift: input.integer(in: 0...4))
    let matte = Raster<UInt8>(width: grid.width, height: grid.height, filledWith: 77)
    let source = ExactMemory(floats)
    let placement = MattePlacement(width: width, height: height, grid: grid)
    unsafe placement.place(source.base, stride: width, view: view, into: matte)
    withExtendedLifetime(source) {}
    if !floats.contains(where: { $0 > 0 }) {
      try expect(Self.isRoom(matte), "values that are not above 0 became a person: \(floats)")
    }
    try checkOutside(of: view, matte, grid)
  }

  // MARK: - Masks

  /// Uses a mask of any geometry.
  ///
  /// It is refused, or everything outside it is room.
  private func placeMask(_ input: inout FuzzInput) throws(Finding) {
    let format = FrameFormat(&input)
    let (width, height) = (input.integer(in: 0...40), input.integer(in: 0...40))
    let stride = width + input.integer(in: -2...9)
    let memory = ExactMemory(input.fill(max(0, (height - 1) * stride + width)))
    let samples = unsafe Plane(base: memory.base, width: width, height: height, stride: stride)
    let alphas = Raster<UInt8>(width: 256, height: 1, filledWith: 0)
    unsafe alphas.base.update(from: input.fill(256), count: 256)
    let isWild = input.flag()
    let region =
      isWild
      ? PixelRegion(
        x: Self.wildInteger(&input), y: Self.wildInteger(&input),
        width: Self.wildInteger(&input), height: Self.wildInteger(&input))
      : PixelRegion(&input, within: format)
    InstructionSet.current = input.choice(InstructionSet.available)
    guard
      let mask = PersonMask(samples: samples, alphas: alphas, region: region, in: format)
    else {
      return try expect(
        isWild || width == 0 || height == 0 || stride < width,
        "a valid mask was rejected: \(region)")
    }
    let grid = MatteGrid(format: format, shift: input.integer(in: 0...4))
    let matte = Raster<UInt8>(width: grid.width, height: grid.height, filledWith: 77)
    let placement = MattePlacement(width: width, height: height, grid: grid)
    placement.place(mask, into: matte)
    try checkOutside(of: region, matte, grid)
    let engine = VirtualBackgroundEngine()
    engine.configure(for: format)
    let picture = FuzzPicture(.nv12, format, &input)
    var settings = EffectSettings()
    settings.effect = .matte
    let outcome = engine.process(picture.frame, settings: settings, mask: mask)
    try expect(
      outcome == .composed(inferred: true), "a frame with a mask was not composed: \(outcome)")
    withExtendedLifetime(memory) {}
    try picture.checkBorders()
  }

  private static func wildInteger(_ input: inout FuzzInput) -> Int {
    input.choice([0, 1, -1, 16, .max, .min, .max - 1, 8192, 1 << 32, 1 << 62, 7])
  }

  /// Throws if a sample with its middle outside a region of the frame is not room.
  private func checkOutside(
    of view: PixelRegion, _ matte: Raster<UInt8>, _ grid: MatteGrid
  ) throws(Finding) {
    // The last sample of a row or column covers the rest of the frame.
    func isInside(_ index: Int, _ count: Int, _ step: Double, _ first: Int, _ end: Int) -> Bool {
      let middle = (Double(index) + 0.5) * step
      return middle >= Double(first) && (middle < Double(end) || index == count - 1)
    }
    for y in 0..<grid.height {
      for x in 0..<grid.width where unsafe matte.row(y)[x] != 0 {
        try expect(
          isInside(x, grid.width, grid.step, view.x, view.endX)
            && isInside(y, grid.height, grid.step, view.y, view.endY),
          "a person outside of \(view), at \(x), \(y) of \(grid)")
      }
    }
  }

  private static func isRoom(_ matte: Raster<UInt8>) -> Bool {
    (0..<matte.width * matte.height).allSatisfy { unsafe matte.base[$0] == 0 }
  }
}
