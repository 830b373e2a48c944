import Matting
import PixelTypes

/// What is done to the frame's own pixels along the person's edge before they are blended: the old
/// room's colour is taken out of them, and the new background's light is put on them.
///
/// Both are found on a coarse grid, for one frame at a time, and brought to the frame's pixels by
/// `EdgeRows` where the edge passes.
package final class EdgeTreatment {
  /// The grid of everything below.
  let grid: EdgeGrid
  /// The person's colours and the room's.
  let colors: (person: SideColors, room: SideColors)
  /// The background's light, if it is to be put on the person.
  var light: LightWrap? { lights ? lightWrap : nil }
  /// Whether the room's colour is to be taken out.
  package private(set) var despills = false
  /// Whether what is more room than person is to take the person's colour.
  private(set) var fades = false
  /// Where something is to be done.
  let spans: EdgeSpans

  /// Alphas below and from here on hold too little of the other side to be seen.
  private static let (leastAlpha, greatestAlpha): (UInt8, UInt8) = (1, 253)

  private let kernels: any RowKernels.Type
  private let format: FrameFormat
  private let sourceShift: Int
  private let matteGrid: MatteGrid
  private let means: CellMeans
  private let matte: ReducedMatte
  private let marks: Raster<UInt8>
  private var lightWrap: LightWrap?
  private var fill: CellFill?
  private var lights = false

  /// Makes buffers for frames of `format`, given as reduced by `1 << sourceShift`, and mattes on
  /// `matteGrid`.
  package init(
    format: FrameFormat, sourceShift: Int, matteGrid: MatteGrid, kernels: any RowKernels.Type
  ) {
    self.kernels = kernels
    self.format = format
    self.sourceShift = sourceShift
    self.matteGrid = matteGrid
    grid = EdgeGrid(format: format, sourceShift: sourceShift)
    means = CellMeans(format: format, grid: grid, sourceShift: sourceShift, kernels: kernels)
    matte = ReducedMatte(
      of: matteGrid, width: grid.width, height: grid.height, step: Double(grid.step),
      kernels: kernels)
    // A cell that is not surely of the person counts little, or it would colour the person by the
    // room. It counts, though: where the matte is softer than the picture it is the person's own.
    let person = SideColors(grid: grid, kernels: kernels) { alpha in
      let sureness = max(2 * alpha - 1, 0)
      return sureness * sureness * sureness * sureness
    }
    let room = SideColors(grid: grid, kernels: kernels) { 1 - 4 * $0 }
    colors = (person, room)
    marks = Raster(width: grid.width, height: grid.height, filledWith: 0)
    spans = EdgeSpans(grid: grid, width: 2 * format.chromaWidth)
  }

  /// Whether this object was made for frames that are reduced so and for such mattes.
  package func isCompatible(sourceShift: Int, matteGrid: MatteGrid) -> Bool {
    sourceShift == self.sourceShift && matteGrid == self.matteGrid
  }

  /// Finds what is to be done to the frame that `reduced` is the reduction of.
  ///
  /// With `despills` the sharp room's colour is taken out of the edge; `lightAmount`, 0 to 1, is how much
  /// of the background's light falls on the person's rim.
  ///
  /// Without a background there is no light, and the person's pixels leave as they are treated here.
  /// A reader that ignores alpha must not see the room: faint pixels take the person's colours.
  package func prepare(
    _ reduced: Frame, matte: Matte, over background: BackgroundFill?, despills: Bool,
    lightAmount: Double
  ) {
    self.despills = despills
    fades = background == nil
    lights = lightAmount > 0 && background != nil
    // The room's own light is on the person already.
    if case .blur = background { lights = false }
    self.matte.reduce(matte)
    let alpha = self.matte.samples
    means.find(in: reduced)
    if despills { colors.room.estimate(luma: means.luma, chroma: means.chroma, by: alpha) }
    if fades {
      let fill = fill ?? CellFill(grid: grid, kernels: kernels)
      self.fill = fill
      fill.fill(means, by: alpha)
    }
    colors.person.estimate(luma: means.luma, chroma: means.chroma, by: alpha)
    mark(alpha)
    if fades { markMixed(matte) }
    var margin = Int(matteGrid.stepX.rounded(.up))
    if lights, let background {
      let wrap = lightWrap ?? LightWrap(format: format, grid: grid, kernels: kernels)
      lightWrap = wrap
      wrap.shine(background, on: colors.person, matte: alpha, amount: lightAmount)
      mark(wrap)
      margin = max(margin, grid.step)
    }
    spans.find(in: marks, margin: margin)
  }

  /// Marks the cells that hold something of both sides, and those that lie between the two.
  private func mark(_ alpha: Raster<UInt8>) {
    func side(_ x: Int, _ y: Int) -> Int {
      let sample = unsafe alpha.row(y)[x]
      return sample < Self.leastAlpha ? 0 : sample >= Self.greatestAlpha ? 2 : 1
    }
    for y in 0..<grid.height {
      for x in 0..<grid.width {
        let own = side(x, y)
        let isEdge = own == 1 || side(max(x - 1, 0), y) != own || side(x, max(y - 1, 0)) != own
        unsafe marks.row(y)[x] = isEdge ? 1 : 0
      }
    }
  }

  /// Marks the cells that hold any sample of `matte` between the two sides, or beside one of the other
  /// side: their mean may be that of a cell that holds none.
  private func markMixed(_ matte: Matte) {
    let (width, shift) = (matte.grid.width, grid.shift - sourceShift)
    for y in 0..<matte.grid.height {
      let samples = unsafe UnsafeRawPointer(matte.samples.row(y))
      let cells = unsafe marks.row(y >> shift)
      for x in stride(from: 0, to: width, by: 8) {
        // Eight at once; the last eight overlap those before them.
        let first = max(min(x, width - 8), 0)
        if width >= 8 {
          let word = unsafe samples.loadUnaligned(fromByteOffset: first, as: UInt64.self)
          if word == 0 || word == .max { continue }
        }
        for x in first..<min(first + 8, width) { unsafe cells[x >> shift] = 1 }
      }
    }
  }

  /// Marks the cells that light falls on too.
  private func mark(_ light: LightWrap) {
    for i in 0..<grid.width * grid.height
    where unsafe light.luma.base[i] != 128 || light.chroma.base[2 * i] != 128
      || light.chroma.base[2 * i + 1] != 128
    {
      unsafe marks.base[i] = 1
    }
  }
}
