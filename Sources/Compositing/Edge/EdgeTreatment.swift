import Matting
import PixelTypes

/// Treats the person's pixels before they are blended.
///
/// Along the edge, the treatment removes the real background's colour and adds the new background's
/// light. A light curve applies to the whole person. `prepare` estimates all of them on a coarse
/// grid for each frame. `EdgeRows` applies them to the pixels.
package final class EdgeTreatment {
  /// The grid of the colours, the light and the spans.
  let grid: EdgeGrid
  /// The colours of the person and of the real background.
  let colors: (person: SideColors, room: SideColors)
  /// The new background's light, or nil if no light is added to the person.
  private(set) var light: LightWrap?
  /// The change of the light on the whole person, or nil to keep the light.
  private(set) var lightCurve: LightCurve?
  /// Whether the real background's colour is removed.
  package private(set) var despills = false
  /// Whether pixels that are more background than person get the person's colour.
  private(set) var fades = false
  /// The pixels to treat.
  let spans: EdgeSpans

  private let format: FrameFormat
  private let sourceShift: Int
  private let matteGrid: MatteGrid
  private let means: CellMeans
  private let matte: ReducedMatte
  private let marks: Raster<UInt8>
  private var lightMatch: LightMatch
  private lazy var plates = PlateMeans(format: format, grid: grid)
  private lazy var lightWrap = LightWrap(format: format, grid: grid, plates: plates)
  private lazy var fill = CellFill(grid: grid)

  /// Allocates buffers for frames of `format` and mattes on `matteGrid`.
  ///
  /// The frames passed to `prepare` must be reduced by `1 << sourceShift`.
  package init(format: FrameFormat, sourceShift: Int, matteGrid: MatteGrid) {
    (self.format, self.sourceShift, self.matteGrid) = (format, sourceShift, matteGrid)
    grid = EdgeGrid(format: format, sourceShift: sourceShift)
    means = CellMeans(format: format, grid: grid, sourceShift: sourceShift)
    matte = ReducedMatte(of: matteGrid, format, shift: grid.shift)
    // A cell that may contain background has a small weight. Otherwise the background would tint
    // the person. The weight is above 0 if a cell is more than half person: such a cell may contain
    // only the person's colour, because the matte can be softer than the picture.
    let person = SideColors(grid: grid) { alpha in
      let certainty = max(2 * alpha - 1, 0)
      return certainty * certainty * certainty * certainty
    }
    colors = (person, room: SideColors(grid: grid) { 1 - $0 / BlurredRoom.personShare })
    lightMatch = LightMatch(grid: grid, colorimetry: format.colorimetry)
    marks = Raster(width: grid.width, height: grid.height, filledWith: 0)
    spans = EdgeSpans(grid: grid, width: 2 * format.chromaWidth)
  }

  package func reset() {
    lightMatch = LightMatch(grid: grid, colorimetry: format.colorimetry)
  }

  /// Discards the light of the background, because another one follows.
  package func resetBackground() { lightMatch.resetBackground() }

  /// Prepares the treatment of a frame.
  ///
  /// - `reduced` is the reduced frame.
  /// - `despills` removes the real background's colour from the edge.
  /// - `lightAmount`, 0 to 1, is the amount of the new background's light on the person's rim.
  /// - `matchAmount`, 0 to 1, is how far the light on the person approaches the plate's light.
  /// - `time` is the time of the frame in nanoseconds.
  /// - Without a background no light is added, and the output contains the treated pixels
  ///   themselves. Faint pixels then get the person's colours, because software that ignores alpha
  ///   must not show the real background.
  package func prepare(
    _ reduced: Frame, matte: Matte, over background: BackgroundFill?, despills: Bool,
    lightAmount: Double, matchAmount: Double, at time: UInt64
  ) {
    self.despills = despills
    fades = background == nil
    var lights = lightAmount > 0 && background != nil
    // The light of the real background is already on the person.
    if case .blur = background { lights = false }
    light = lights ? lightWrap : nil
    self.matte.reduce(matte)
    let alpha = self.matte.samples
    means.find(in: reduced)
    lightCurve = nil
    // A single colour is not a picture of light: a key colour would tint the person.
    if matchAmount > 0, case .plate(let plate) = background {
      lightCurve = lightMatch.curve(
        of: means, alpha, plate: plates.means(of: plate), amount: matchAmount, at: time)
    }
    if despills { colors.room.estimate(luma: means.luma, chroma: means.chroma, by: alpha) }
    if fades { fill.fill(means, by: alpha) }
    if despills || fades || lights {
      colors.person.estimate(luma: means.luma, chroma: means.chroma, by: alpha)
      mark(alpha)
    } else {
      marks.fill(with: 0)
    }
    if fades { markMixed(matte) }
    var margin = Int(matteGrid.step.rounded(.up))
    if let light, let background {
      light.shine(
        background, on: colors.person, matte: alpha, amount: lightAmount, marking: marks)
      margin = max(margin, grid.step)
    }
    spans.find(in: marks, margin: margin)
  }

  /// Marks the cells that contain person and background, and the cells on the border between them.
  private func mark(_ alpha: Raster<UInt8>) {
    func side(_ x: Int, _ y: Int) -> Int {
      let sample = unsafe alpha.row(y)[x]
      return sample < EdgeGrid.minAlpha ? 0 : sample >= EdgeGrid.solidAlpha ? 2 : 1
    }
    for y in 0..<grid.height {
      for x in 0..<grid.width {
        let own = side(x, y)
        let isEdge = own == 1 || side(max(x - 1, 0), y) != own || side(x, max(y - 1, 0)) != own
        unsafe marks.row(y)[x] = isEdge ? 1 : 0
      }
    }
  }

  /// Marks the cells with a mixed sample of `matte`, or with adjacent samples of both sides.
  ///
  /// `mark` sees only the mean of a cell, which can look like pure person or pure background
  /// although the cell has such samples.
  private func markMixed(_ matte: Matte) {
    let (width, shift) = (matte.grid.width, grid.shift - sourceShift)
    for y in 0..<matte.grid.height {
      let samples = unsafe UnsafeRawPointer(matte.samples.row(y))
      let cells = unsafe marks.row(y >> shift)
      for x in stride(from: 0, to: width, by: 8) {
        // Eight samples at once. The last eight overlap the previous eight.
        let first = max(min(x, width - 8), 0)
        if width >= 8 {
          let word = unsafe samples.loadUnaligned(fromByteOffset: first, as: UInt64.self)
          if word == 0 || word == .max { continue }
        }
        for x in first..<min(first + 8, width) { unsafe cells[x >> shift] = 1 }
      }
    }
  }
}
