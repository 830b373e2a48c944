import Compositing
import Matting
import PixelTypes
import Processor
import TestSupport
import VirtualBackground

extension FuzzTarget {
  /// Calls the engine in any order, with any settings.
  func driveEngine(_ bytes: [UInt8]) throws(Finding) {
    var input = FuzzInput(bytes)
    var driver = EngineDriver(&input)
    for _ in 0..<16 where !input.isAtEnd { try driver.step(&input) }
  }
}

/// An engine with its inputs, and the state that is expected of it.
private struct EngineDriver {
  private let engine: VirtualBackgroundEngine
  private var format: FrameFormat
  private var isConfigured = false
  private var networks: [FuzzSegmenter] = []
  private var settings = EffectSettings.everyFrame
  private var plate: Plate?
  /// Whether the engine found no person in any frame that it may remember.
  private var isEmpty = true

  init(_ input: inout FuzzInput) {
    InstructionSet.current = input.choice(InstructionSet.available)
    engine = VirtualBackgroundEngine(threads: 2)
    format = FrameFormat(&input)
    configure()
    useNetworks(&input)
  }

  mutating func step(_ input: inout FuzzInput) throws(Finding) {
    switch input.integer(in: 0...15) {
    case 0:
      format = FrameFormat(&input)
      configure()
    case 1: useNetworks(&input)
    case 2: usePlate(&input)
    case 3:
      engine.reset()
      isEmpty = true
    case 4: try convert(&input)
    case 5: try hide(&input)
    case 6, 7: settings = EffectSettings(&input)
    default: try process(&input)
    }
  }

  private mutating func configure() {
    engine.configure(for: format)
    isEmpty = true
  }

  private mutating func useNetworks(_ input: inout FuzzInput) {
    isEmpty = true
    let whole = FuzzSegmenter(&input)
    networks = [whole]
    switch input.integer(in: 0...4) {
    case 0:
      networks = []
      return engine.use(nil as Segmenters?)
    case 1, 2:
      let closer = input.flag() ? FuzzSegmenter(&input) : whole
      networks.append(closer)
      var crop = Segmenters.Crop(
        segmenter: closer, peopleFinder: whole,
        margins: CropMargins(margin: 0.04, maxShare: input.choice([0.6, 0.9, 0])))
      if input.flag() {
        let coarse = FuzzSegmenter(&input)
        networks.append(coarse)
        crop.coarse = coarse
      }
      if input.flag() {
        let witness = FuzzSegmenter(&input)
        networks.append(witness)
        crop.witness = witness
      }
      engine.use(Segmenters(wholeFrame: whole, crop: crop))
    default: engine.use(Segmenters(wholeFrame: whole))
    }
  }

  private mutating func usePlate(_ input: inout FuzzInput) {
    // A plate of another size or colorimetry is not shown.
    let plateFormat = input.flag(onceIn: 4) ? FrameFormat(&input) : format
    let pattern = input.fill(64)
    plate =
      input.flag(onceIn: 6)
      ? nil
      : Plate(format: plateFormat) { frame in
        for y in 0..<frame.luma.height {
          for x in 0..<frame.luma.width {
            unsafe frame.luma.row(y)[x] = pattern[(x + 3 * y) % pattern.count]
          }
        }
      }
    engine.use(plate)
  }

  // MARK: - Frames

  private mutating func process(_ input: inout FuzzInput) throws(Finding) {
    let picture = FuzzPicture(.nv12, format, &input)
    let output =
      input.flag() ? FuzzPicture(input.choice(PixelFormat.allCases), format, &input) : nil
    let before = picture.bytes
    for network in networks { network.prepare(&input) }
    let masks = input.flag(onceIn: 6)
    let outcome: FrameOutcome
    if masks {
      let samples = ExactMemory(input.fill(64))
      let alphas = Raster<UInt8>(width: 256, height: 1, filledWith: 255)
      let mask = unsafe PersonMask(
        samples: Plane(base: samples.base, width: 8, height: 8, stride: 8), alphas: alphas,
        region: PixelRegion(&input, within: format), in: format)
      outcome = engine.process(picture.frame, into: output?.planes, settings: settings, mask: mask)
      withExtendedLifetime(samples) {}
    } else {
      outcome = engine.process(
        picture.frame, into: output?.planes, settings: settings,
        at: input.flag() ? nil : input.word(bytes: input.choice([4, 8])), infers: input.flag())
    }
    isEmpty = isEmpty && !masks && !networks.contains { $0.findsSomebody }
    try picture.checkBorders()
    try output?.checkBorders()
    if output != nil { try expect(picture.bytes == before, "the engine wrote to the input frame") }
    switch outcome {
    case .composed:
      try expect(masks || !networks.isEmpty, "a person was found without a network")
      if isEmpty { try checkColor(output ?? picture) }
    case .hidden:
      try expect(
        settings.effect == .none || [.blur, .color, .hold].contains(settings.onFailure),
        "hidden despite \(settings.onFailure)")
    case .dropped, .failed: break
    }
    try checkMatte()
  }

  private func hide(_ input: inout FuzzInput) throws(Finding) {
    let picture = FuzzPicture(.nv12, format, &input)
    let output =
      input.flag() ? FuzzPicture(input.choice(PixelFormat.allCases), format, &input) : nil
    let isThere = output == nil || input.flag()
    let outcome = engine.hide(
      isThere ? picture.frame : nil, into: output?.planes, settings: settings,
      because: SegmentationError(.inferenceFailed, "fuzzed failure"), pixelsAreValid: input.flag())
    try picture.checkBorders()
    try output?.checkBorders()
    if case .hidden = outcome, settings.onFailure == .color, settings.effect != .none {
      try expect((output ?? picture).isUniform, "the colour does not hide the whole frame")
    }
  }

  private func convert(_ input: inout FuzzInput) throws(Finding) {
    let picture = FuzzPicture(.nv12, format, &input)
    let output = FuzzPicture(input.choice(PixelFormat.allCases), format, &input)
    engine.convert(picture.frame, into: output.planes)
    try picture.checkBorders()
    try output.checkBorders()
  }

  /// Throws if a frame without a person shows any of the room.
  private func checkColor(_ shown: FuzzPicture) throws(Finding) {
    let isColor =
      switch settings.effect {
      case .color, .matte, .transparent: true
      case .replace: plate?.format != format
      case .blur, .none: false
      }
    if isColor {
      try expect(
        shown.isUniform, "an empty room is visible with \(settings), \(shown.planes.format)")
    }
  }

  private func checkMatte() throws(Finding) {
    guard let matte = engine.frameMatte else { return }
    let samples = matte.samples
    try expect(
      samples.width == (format.width + matte.step - 1) / matte.step
        && samples.height == (format.height + matte.step - 1) / matte.step,
      "the matte does not cover its frame: \(samples.width)x\(samples.height) by \(matte.step)")
  }
}

extension EffectSettings {
  /// Makes any settings.
  ///
  /// Numbers may be NaN, or far out of range.
  fileprivate init(_ input: inout FuzzInput) {
    self.init()
    effect = input.choice([.blur, .replace, .color, .transparent, .matte, .none])
    backgroundColor = UInt32(input.word(bytes: 3))
    blurRadius = input.double() * input.choice([1, 10, 100])
    matte.grow = input.double() * input.choice([0, 1, 10, -10])
    matte.feather = input.double() * input.choice([0, 1, 10, -10])
    matte.keep = input.choice([.everyone, .nearest, .tracked])
    matte.smoothing = input.double()
    inference = input.flag() ? .whenNeeded : .everyFrame
    despill = input.flag()
    lightWrap = input.double()
    onFailure = input.choice([.blur, .color, .hold, .drop, .error])
    blurShape = input.flag() ? .lens : .gaussian
    matchLight = input.double()
    lowLight = input.double()
    framing = input.flag() ? .follow : .fixed
    maxZoom = input.double()
  }
}
