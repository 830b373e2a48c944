import Matting
import PixelTypes
import Threads

/// Blends a frame over a background, in place or into a picture of another format.
///
/// Processes each row once, in bands that run on several threads.
package final class Compositor: BandedWork {
  /// The positions of the matte's samples in the frame.
  package let grid: MatteGrid

  private let format: FrameFormat
  private let bands: Bands
  private let job = BandedJob()
  private let composers: [BandComposer]
  /// The rows that `color` and `white` repeat.
  private let uniformRows: Raster<UInt8>
  /// A background and a foreground of one colour.
  private let color: Frame, white: Frame
  private var pass: BandComposer.Pass?

  /// Creates tables for frames of `format` with mattes on `grid`.
  package init(format: FrameFormat, grid: MatteGrid, bands: Bands) {
    (self.format, self.grid, self.bands) = (format, grid, bands)
    let axes = AlphaRows.Axes(format: format, grid: grid)
    composers = (0..<bands.count).map { _ in BandComposer(format: format, axes) }
    let rows = Raster<UInt8>(width: 2 * format.chromaWidth, height: 4, filledWith: 0)
    func plane(_ row: Int, width: Int) -> Plane {
      unsafe Plane(base: rows.row(row), width: width, height: 1, stride: 0)
    }
    uniformRows = rows
    color = Frame(luma: plane(0, width: format.width), chroma: plane(1, width: rows.width))
    white = Frame(luma: plane(2, width: format.width), chroma: plane(3, width: rows.width))
    white.fill(with: 0xFFFFFF, in: format.colorimetry)
  }

  /// Writes a frame to `output`, which may be the frame itself.
  ///
  /// - With a matte, `background` is put behind the person, after the treatment of the edge.
  /// - Without a matte, only the background is written.
  /// - Without a background, the frame is written, with the matte as alpha. If the output has no
  ///   alpha, the background is black.
  package func draw(
    _ frame: Frame?, matte: Matte?, over background: BackgroundFill?, edge: EdgeTreatment? = nil,
    into output: PicturePlanes
  ) {
    // Without alpha, a picture with a matte but without a background would show the room.
    let storesAlpha = output.format.hasAlpha || output.format == .gray8
    let background =
      matte != nil && !storesAlpha ? background ?? .color(0, in: format) : background
    var (behind, shift): (Frame?, Int) = (nil, 0)
    switch background {
    case .color(let luma, let cb, let cr):
      color.fill(luma: luma, cb: cb, cr: cr)
      behind = color
    case .plate(let plate): behind = plate.frame
    case .blur(let blur):
      (behind, shift) = (Frame(luma: blur.luma.plane, chroma: blur.chroma.plane), blur.shift)
    case nil: break
    }
    let pass = BandComposer.Pass(
      frame: matte == nil && background != nil ? nil : frame, matte: matte, background: behind,
      shift: shift, edge: edge, output: output)
    for composer in composers { composer.prepare(for: pass) }
    self.pass = pass
    withExtendedLifetime(background) { job.perform(self, bands) }
    self.pass = nil
  }

  /// Writes the matte as a picture, with a white person on a black background.
  package func show(_ matte: Matte, into output: PicturePlanes) {
    // The alpha of GRAY8 is the picture itself.
    let isAlpha = output.format == .gray8
    draw(white, matte: matte, over: isAlpha ? nil : .color(0, in: format), into: output)
  }

  package func perform(band: Int) {
    guard let pass else { return }
    composers[band].perform(pass, bands.rows(of: format.chromaHeight, in: band))
  }
}
