import Matting
import PixelTypes

/// The light of the new background on the rim of the person.
///
/// The blend mode "screen" adds the blurred background to the person, weighted by the blurred
/// background share of the matte. The light only brightens, has less effect on bright colours, and
/// fades inward.
final class LightWrap {
  /// The change of luma: one sample per cell, with 128 for zero.
  let luma: Raster<UInt8>
  /// The change of Cb and Cr: one pair per cell, with 128 for zero.
  let chroma: Raster<UInt8>

  /// The sigma of the light's inward reach, in pixels of a 720-line frame.
  private static let reach = 12.0
  /// The sigma of the background's blur, in cells.
  private static let blur = 2.0

  private let grid: EdgeGrid
  private let format: FrameFormat
  private let alphaGaussian: SeparableGaussian
  private let alpha: Raster<Float>
  private let backgroundLuma: Raster<Float>, backgroundChroma: Raster<Float>
  /// The plate whose blurred version is stored.
  private var plate: Plate?
  private let plates: PlateMeans
  /// The blurs for plates.
  private lazy var lumaBlur = SeparableGaussian(
    width: grid.width, height: grid.height, step: 1, sigma: (Self.blur, Self.blur))
  private lazy var chromaBlur = SeparableGaussian(
    width: 2 * grid.width, height: grid.height, step: 2, sigma: (Self.blur, Self.blur))

  /// Allocates memory for the cells of `grid` over frames of `format`.
  ///
  /// `plates` returns the means of plates.
  init(format: FrameFormat, grid: EdgeGrid, plates: PlateMeans) {
    (self.format, self.grid, self.plates) = (format, grid, plates)
    let (width, height) = (grid.width, grid.height)
    let sigma = Self.reach * Double(format.height) / 720 / Double(grid.step)
    alphaGaussian = SeparableGaussian(width: width, height: height, step: 1, sigma: (sigma, sigma))
    alpha = Raster(width: width, height: height, filledWith: 0)
    luma = Raster(width: width, height: height, filledWith: 128)
    chroma = Raster(width: 2 * width, height: height, filledWith: 128)
    backgroundLuma = Raster(width: width, height: height, filledWith: 0)
    backgroundChroma = Raster(width: 2 * width, height: height, filledWith: 0)
  }

  /// Computes the light of `background` on a person with the colours `person`.
  ///
  /// `amount` is the strength of the light, 0 to 1. `matte` contains the mean alpha of each cell.
  /// Sets the marks of the cells with light to 1.
  func shine(
    _ background: BackgroundFill, on person: SideColors, matte: Raster<UInt8>, amount: Double,
    marking marks: Raster<UInt8>
  ) {
    updateLight(of: background)
    for i in 0..<matte.width * matte.height {
      unsafe alpha.base[i] = Float(matte.base[i]) / 255
    }
    alphaGaussian.apply(to: alpha)
    let scale = format.colorimetry.scale
    let (black, span) = (Float(scale.lumaOffset), Float(scale.lumaSpan))
    for i in 0..<matte.width * matte.height {
      var light: (luma: Float, cb: Float, cr: Float) = (0, 0, 0)
      if unsafe matte.base[i] > 0 {
        let room = unsafe Float(amount) * max(1 - alpha.base[i], 0)
        let headroom = unsafe min(max(1 - (Float(person.luma.base[i]) - black) / span, 0), 1)
        let share = room * headroom
        light = unsafe (
          share * max(backgroundLuma.base[i] - black, 0),
          share * (backgroundChroma.base[2 * i] - 128),
          share * (backgroundChroma.base[2 * i + 1] - 128)
        )
      }
      let codes = (code(light.luma), code(light.cb), code(light.cr))
      unsafe (luma.base[i], chroma.base[2 * i], chroma.base[2 * i + 1]) = codes
      if codes != (128, 128, 128) { unsafe marks.base[i] = 1 }
    }
  }

  private func code(_ light: Float) -> UInt8 { UInt8(min(max(light + 128.5, 0), 255)) }

  /// Computes the light of the background, unless it is the plate of the previous frame.
  private func updateLight(of background: BackgroundFill) {
    switch background {
    // `EdgeTreatment` adds no light of the real background.
    case .blur: break
    case .color(let luma, let cb, let cr):
      plate = nil
      backgroundLuma.fill(with: Float(luma))
      for i in 0..<grid.width * grid.height {
        unsafe backgroundChroma.base[2 * i] = Float(cb)
        unsafe backgroundChroma.base[2 * i + 1] = Float(cr)
      }
    case .plate(let plate):
      if self.plate === plate { return }
      self.plate = plate
      blur(plate)
    }
  }

  private func blur(_ plate: Plate) {
    let means = plates.means(of: plate)
    for i in 0..<grid.width * grid.height {
      unsafe backgroundLuma.base[i] = Float(means.luma.base[i])
    }
    for i in 0..<2 * grid.width * grid.height {
      unsafe backgroundChroma.base[i] = Float(means.chroma.base[i])
    }
    lumaBlur.apply(to: backgroundLuma)
    chromaBlur.apply(to: backgroundChroma)
  }
}
