import PixelTypes

/// The matte at the size of the frame, from top to bottom, two rows and a weight at a time.
///
/// A row of the matte is enlarged horizontally once, for luma and for chroma, and kept for the rows
/// of the frame that lie between it and the next one. Those are asked for in the order of their
/// places: luma row 2n, chroma row n, luma row 2n + 1. Only the part of a row that the person
/// reaches is enlarged, for most of a picture is room.
final class AlphaRows {
  /// The alpha of a row of the frame.
  struct Alpha {
    let row: RowBetween
    /// The bytes in which it is not 0; begins with an even one.
    let person: Range<Int>
  }

  private let kernels: any RowKernels.Type
  private let horizontal: ScaleAxis
  private let firstPixel: [Int]
  private let lumaVertical: ScaleAxis, chromaVertical: ScaleAxis
  /// A row of the matte with an even number lies in row 0, one with an odd number in row 1.
  private let luma: Raster<UInt8>, chroma: Raster<UInt8>
  /// Which rows of the matte those are, and where the person is in them.
  private var held = (even: Held(), odd: Held())

  private struct Held {
    var row = -1
    var person = 0..<0
  }

  /// Where the samples lie, for every reader of mattes on one grid over frames of one format.
  struct Axes {
    fileprivate let horizontal: ScaleAxis
    /// For each sample of the matte, and one beyond, the first pixel at or after it.
    fileprivate let firstPixel: [Int]
    fileprivate let lumaVertical: ScaleAxis, chromaVertical: ScaleAxis

    /// Chroma samples are taken to lie in the middle of their four pixels.
    init(format: FrameFormat, grid: MatteGrid) {
      // An even number of pixels: a chroma sample at the right edge of an odd width has two too.
      horizontal = ScaleAxis(
        count: 2 * format.chromaWidth, sourceCount: grid.width, scale: 1 / grid.stepX)
      var firstPixel: [Int] = []
      for pixel in 0..<2 * format.chromaWidth {
        while unsafe firstPixel.count <= Int(horizontal.positions.base[pixel]) {
          firstPixel.append(pixel)
        }
      }
      while firstPixel.count <= grid.width { firstPixel.append(2 * format.chromaWidth) }
      self.firstPixel = firstPixel
      lumaVertical = ScaleAxis(
        count: format.height, sourceCount: grid.height, scale: 1 / grid.stepY)
      chromaVertical = ScaleAxis(
        count: format.chromaHeight, sourceCount: grid.height, scale: 2 / grid.stepY)
    }
  }

  /// Makes a reader.
  init(_ axes: Axes, kernels: any RowKernels.Type) {
    self.kernels = kernels
    horizontal = axes.horizontal
    firstPixel = axes.firstPixel
    lumaVertical = axes.lumaVertical
    chromaVertical = axes.chromaVertical
    let width = horizontal.positions.width
    luma = Raster(width: width, height: 2, filledWith: 0)
    chroma = Raster(width: width, height: 2, filledWith: 0)
  }

  /// Forgets the rows of an earlier matte; called before the first row of each.
  func begin() {
    held = (Held(), Held())
  }

  /// What luma row `y` of the frame lies between: an alpha for each pixel.
  func luma(_ y: Int, of matte: Raster<UInt8>) -> Alpha {
    rows(lumaVertical, y, of: matte, in: luma)
  }

  /// What chroma row `y` of the frame lies between: an alpha for each byte of the pairs.
  func chroma(_ y: Int, of matte: Raster<UInt8>) -> Alpha {
    rows(chromaVertical, y, of: matte, in: chroma)
  }

  private func rows(
    _ axis: ScaleAxis, _ y: Int, of matte: Raster<UInt8>, in enlarged: Raster<UInt8>
  ) -> Alpha {
    let position = unsafe Int(axis.positions.base[y])
    let weight = unsafe Int(axis.weights.base[y])
    let next = weight == 0 ? position : min(position + 1, matte.height - 1)
    let (above, below) = (enlarge(position, of: matte), enlarge(next, of: matte))
    let person: Range<Int>
    if above.isEmpty || below.isEmpty {
      person = above.isEmpty ? below : above
    } else {
      person =
        min(above.lowerBound, below.lowerBound)..<max(above.upperBound, below.upperBound)
    }
    let row = unsafe RowBetween(
      top: UnsafePointer(enlarged.row(position & 1)), bottom: UnsafePointer(enlarged.row(next & 1)),
      weight: weight)
    return Alpha(row: row, person: person)
  }

  /// Enlarges a row of the matte, unless it is there already; tells where the person is in it.
  private func enlarge(_ y: Int, of matte: Raster<UInt8>) -> Range<Int> {
    let slot = y & 1
    let held = slot == 0 ? held.even : held.odd
    if held.row == y { return held.person }
    let source = unsafe matte.row(y)
    let person = unsafe pixels(reachedBy: source, matte.width)
    let (first, count) = (person.lowerBound, person.count)
    let (lumaRow, chromaRow) = unsafe (luma.row(slot), chroma.row(slot))
    // The row beside it may reach further.
    unsafe clear(lumaRow, outside: person)
    unsafe clear(chromaRow, outside: person)
    unsafe kernels.expandRow(
      source, horizontal.positions.base + first, horizontal.weights.base + first, lumaRow + first,
      count)
    unsafe kernels.averagePairs(lumaRow + first, chromaRow + first, count / 2)
    if slot == 0 {
      self.held.even = Held(row: y, person: person)
    } else {
      self.held.odd = Held(row: y, person: person)
    }
    return person
  }

  private func clear(_ row: UnsafeMutablePointer<UInt8>, outside person: Range<Int>) {
    unsafe row.update(repeating: 0, count: person.lowerBound)
    unsafe (row + person.upperBound).update(repeating: 0, count: luma.width - person.upperBound)
  }

  /// The pixels that a row of the matte can make other than 0, from an even one to an even one.
  private func pixels(reachedBy row: UnsafePointer<UInt8>, _ width: Int) -> Range<Int> {
    var (first, last) = (0, width - 1)
    while first < width, unsafe row[first] == 0 { first += 1 }
    if first == width { return 0..<0 }
    while unsafe row[last] == 0 { last -= 1 }
    // A pixel between the sample before the first and the first has something of it.
    let begin = firstPixel[max(first - 1, 0)] & ~1
    let end = (firstPixel[last + 1] + 1) & ~1
    return begin..<max(begin, end)
  }
}
