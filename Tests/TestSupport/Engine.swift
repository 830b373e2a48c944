import Compositing
import Matting
import PixelTypes
import VirtualBackground

extension EffectSettings {
  /// The defaults, but with an inference in every frame.
  ///
  /// A test can then expect a matte of each frame's own.
  package static var everyFrame: EffectSettings {
    var settings = EffectSettings()
    settings.inference = .everyFrame
    return settings
  }

  /// Shows the matte of each frame, without smoothing.
  package static var matteOfEachFrame: EffectSettings {
    var settings = everyFrame
    settings.effect = .matte
    settings.matte.smoothing = 0
    return settings
  }
}

extension Segmenters {
  /// Makes networks for whole frames and for crops.
  package init(
    _ wholeFrame: any Segmenter, close: any Segmenter, peopleFinder: (any Segmenter)? = nil,
    coarse: (any Segmenter)? = nil, witness: (any Segmenter)? = nil, margin: Double = 0.1,
    maxShare: Double = 0.9
  ) {
    let crop = Crop(
      segmenter: close, peopleFinder: peopleFinder ?? wholeFrame, coarse: coarse, witness: witness,
      margins: CropMargins(margin: margin, maxShare: maxShare))
    self.init(wholeFrame: wholeFrame, crop: crop)
  }
}

extension VirtualBackgroundEngine {
  /// Makes an engine for frames of a format.
  package convenience init(_ format: FrameFormat, _ segmenters: Segmenters, threads: Int = 1) {
    self.init(threads: threads)
    configure(for: format)
    use(segmenters)
  }

  /// Makes an engine for frames of a format, with one network.
  package convenience init(_ format: FrameFormat, _ segmenter: any Segmenter, threads: Int = 1) {
    self.init(format, Segmenters(wholeFrame: segmenter), threads: threads)
  }

  /// Processes a picture, which stays in memory meanwhile.
  @discardableResult
  package func process(
    _ picture: TestPicture, into output: TestPlanes? = nil, settings: EffectSettings,
    at time: UInt64? = nil, infers: Bool = true, mask: PersonMask? = nil
  ) -> FrameOutcome {
    withExtendedLifetime((picture, output)) {
      process(
        picture.frame, into: output?.planes, settings: settings, at: time, infers: infers,
        mask: mask)
    }
  }

  /// Hides a picture, which stays in memory meanwhile.
  @discardableResult
  package func hide(
    _ picture: TestPicture, settings: EffectSettings, because error: SegmentationError,
    pixelsAreValid: Bool = true
  ) -> FrameOutcome {
    withExtendedLifetime(picture) {
      hide(picture.frame, settings: settings, because: error, pixelsAreValid: pixelsAreValid)
    }
  }
}

extension Plate {
  /// Makes a plate of a picture.
  package convenience init(of picture: TestPicture) {
    self.init(format: picture.format) { frame in
      frame.luma.change { x, y, _ in unsafe picture.frame.luma.row(y)[x] }
      frame.chroma.change { x, y, _ in unsafe picture.frame.chroma.row(y)[x] }
    }
  }
}
