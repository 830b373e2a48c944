import Matting
import PixelTypes

/// The matte at the size of the frame, from top to bottom, as two rows and a weight.
///
/// A row of the matte is enlarged horizontally once, for luma and for chroma, and kept for the rows
/// of the frame between it and the next one. Read the rows in the order luma row 2n, chroma row n,
/// luma row 2n + 1. Only the part of a row with the person is enlarged, because most of a picture
/// is room.
final class AlphaRows {
  /// The alpha of a row of the frame.
  struct Alpha {
    let row: RowBetween
    /// The bytes outside which it is 0, from a multiple of `AlphaRows.grain` on.
    let person: Range<Int>
    /// A part of `person` in which it is 255, between two multiples of `AlphaRows.grain`.
    let solid: Range<Int>
  }

  /// The alignment of the parts of a row, in bytes.
  ///
  /// The kernels process this many bytes at once. A remainder byte by byte costs more than some
  /// excess bytes.
  private static let grain = 32

  private let kernels: any RowKernels.Type
  private let horizontal: ScaleAxis
  private let firstPixel: [Int]
  private let lumaVertical: ScaleAxis, chromaVertical: ScaleAxis
  /// Rows 0 and 1 hold an even and an odd row of the matte.
  private let luma: Raster<UInt8>, chroma: Raster<UInt8>
  /// The numbers of those rows in the matte, and the range of the person in them.
  private var held = (even: Held(), odd: Held())

  private struct Held {
    var row = -1
    var reach = Reach()
  }

  /// The pixels with the person in an enlarged row, and the pixels with nothing else.
  private struct Reach {
    var person = 0..<0
    var solid = 0..<0
  }

  /// The sample positions for all readers of mattes on one grid over frames of one format.
  struct Axes {
    fileprivate let horizontal: ScaleAxis
    /// For each sample of the matte, and one beyond, the first pixel at or after it.
    fileprivate let firstPixel: [Int]
    fileprivate let lumaVertical: ScaleAxis, chromaVertical: ScaleAxis

    /// Chroma samples are assumed to be in the middle of their four pixels.
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

  /// Creates a reader.
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

  /// Discards the rows of an earlier matte.
  ///
  /// Call this before the first row of each matte.
  func begin() {
    held = (Held(), Held())
  }

  /// Returns the two rows around luma row `y` of the frame, with one alpha per pixel.
  func luma(_ y: Int, of matte: Plane) -> Alpha {
    rows(lumaVertical, y, of: matte, in: luma)
  }

  /// Returns the two rows around chroma row `y` of the frame, with one alpha per byte.
  func chroma(_ y: Int, of matte: Plane) -> Alpha {
    rows(chromaVertical, y, of: matte, in: chroma)
  }

  private func rows(
    _ axis: ScaleAxis, _ y: Int, of matte: Plane, in enlarged: Raster<UInt8>
  ) -> Alpha {
    let position = unsafe Int(axis.positions.base[y])
    let weight = unsafe Int(axis.weights.base[y])
    let next = weight == 0 ? position : min(position + 1, matte.height - 1)
    let (above, below) = (enlarge(position, of: matte), enlarge(next, of: matte))
    let person: Range<Int>
    if above.person.isEmpty || below.person.isEmpty {
      person = above.person.isEmpty ? below.person : above.person
    } else {
      person =
        min(
          above.person.lowerBound, below.person.lowerBound)..<max(
          above.person.upperBound, below.person.upperBound)
    }
    let solid = above.solid.clamped(to: below.solid)
    let row = unsafe RowBetween(
      top: UnsafePointer(enlarged.row(position & 1)), bottom: UnsafePointer(enlarged.row(next & 1)),
      weight: weight)
    return Alpha(row: row, person: person, solid: solid)
  }

  /// Enlarges a row of the matte unless it is held, and returns the range of the person.
  private func enlarge(_ y: Int, of matte: Plane) -> Reach {
    let slot = y & 1
    let held = slot == 0 ? held.even : held.odd
    if held.row == y { return held.reach }
    let source = unsafe matte.row(y)
    let reach = unsafe pixels(reachedBy: source, matte.width)
    let (lumaRow, chromaRow) = unsafe (luma.row(slot), chroma.row(slot))
    let (person, solid) = (reach.person, reach.solid)
    // Fill all of it: the other row of the pair may extend further or be less solid.
    unsafe fill(lumaRow, reach)
    unsafe fill(chromaRow, reach)
    unsafe expand(source, person.lowerBound..<solid.lowerBound, lumaRow, chromaRow)
    unsafe expand(source, solid.upperBound..<person.upperBound, lumaRow, chromaRow)
    if slot == 0 {
      self.held.even = Held(row: y, reach: reach)
    } else {
      self.held.odd = Held(row: y, reach: reach)
    }
    return reach
  }

  private func expand(
    _ source: UnsafePointer<UInt8>, _ pixels: Range<Int>, _ lumaRow: UnsafeMutablePointer<UInt8>,
    _ chromaRow: UnsafeMutablePointer<UInt8>
  ) {
    let (first, count) = (pixels.lowerBound, pixels.count)
    unsafe kernels.expandRow(
      source, horizontal.positions.base + first, horizontal.weights.base + first, lumaRow + first,
      count)
    unsafe kernels.averagePairs(lumaRow + first, chromaRow + first, count / 2)
  }

  /// Writes the samples that need no interpolation.
  private func fill(_ row: UnsafeMutablePointer<UInt8>, _ reach: Reach) {
    let (person, solid) = (reach.person, reach.solid)
    unsafe row.update(repeating: 0, count: person.lowerBound)
    unsafe (row + solid.lowerBound).update(repeating: 255, count: solid.count)
    unsafe (row + person.upperBound).update(repeating: 0, count: luma.width - person.upperBound)
  }

  /// Returns the pixels that a row of the matte can make other than 0, and those it makes 255.
  private func pixels(reachedBy row: UnsafePointer<UInt8>, _ width: Int) -> Reach {
    var (first, last) = (0, width - 1)
    while first + 8 <= width, unsafe word(row, first) == 0 { first += 8 }
    while first < width, unsafe row[first] == 0 { first += 1 }
    if first == width { return Reach() }
    while last >= 7, unsafe word(row, last - 7) == 0 { last -= 8 }
    while unsafe row[last] == 0 { last -= 1 }
    // Pixels between the first sample and the one before it contain a part of the first.
    let mask = ~(Self.grain - 1)
    let begin = firstPixel[max(first - 1, 0)] & mask
    let end = min((firstPixel[last + 1] + Self.grain - 1) & mask, luma.width)
    let person = begin..<max(begin, end)
    let samples = unsafe solidSamples(row, first...last)
    // Between two of these samples, or next to the last sample of the row.
    let solidBegin = (firstPixel[samples.lowerBound] + Self.grain - 1) & mask
    let solidEnd =
      samples.upperBound < width
      ? firstPixel[max(samples.upperBound - 1, 0)] & mask : luma.width
    let solid =
      samples.isEmpty || solidEnd <= solidBegin
      ? begin..<begin : (solidBegin..<solidEnd).clamped(to: person)
    return Reach(person: person, solid: solid)
  }

  /// Returns the longest run of 255 that contains a word of eight samples.
  private func solidSamples(_ row: UnsafePointer<UInt8>, _ samples: ClosedRange<Int>) -> Range<Int>
  {
    var longest = samples.lowerBound..<samples.lowerBound
    var begin = samples.lowerBound
    var at = begin
    while at + 8 <= samples.upperBound + 1 {
      let isSolid = unsafe word(row, at) == .max
      at += 8
      if !isSolid {
        begin = at
      } else if at - begin > longest.count {
        longest = begin..<at
      }
    }
    if longest.isEmpty { return longest }
    var (first, end) = (longest.lowerBound, longest.upperBound)
    while first > samples.lowerBound, unsafe row[first - 1] == 255 { first -= 1 }
    while end <= samples.upperBound, unsafe row[end] == 255 { end += 1 }
    return first..<end
  }

  /// Eight samples at once.
  private func word(_ row: UnsafePointer<UInt8>, _ at: Int) -> UInt64 {
    unsafe UnsafeRawPointer(row).loadUnaligned(fromByteOffset: at, as: UInt64.self)
  }
}
