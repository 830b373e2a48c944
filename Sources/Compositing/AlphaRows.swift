import Matting
import PixelTypes
import Processor

/// Reads the matte at the size of the frame, from top to bottom.
///
/// - A row of the frame is represented by two enlarged rows of the matte and a weight.
/// - Each row of the matte is enlarged horizontally once for luma and once for chroma. It is kept
///   for all rows of the frame between it and the next row of the matte.
/// - Only the part of a row that contains the person is enlarged.
/// - Callers must read in the order luma row 2n, chroma row n, luma row 2n + 1.
final class AlphaRows {
  /// The alpha of a row of the frame.
  struct Alpha {
    let row: RowBetween
    /// The bytes outside which alpha is 0.
    ///
    /// The lower bound is a multiple of `AlphaRows.grain`.
    let person: Range<Int>
    /// A part of `person` in which alpha is 255.
    ///
    /// Both bounds are multiples of `AlphaRows.grain`.
    let solid: Range<Int>
  }

  /// The alignment of the parts of a row, in bytes.
  ///
  /// The kernels process this many bytes at once. Rounding up to a multiple costs less than
  /// processing a remainder byte by byte.
  static let grain = 32

  private let axes: Axes
  /// Row 0 contains an enlarged even row of the matte, and row 1 an odd one.
  private let luma: Raster<UInt8>, chroma: Raster<UInt8>
  private var held = InlineArray<2, Held>(repeating: Held())

  /// The number of an enlarged row, the pixels that contain the person, and those with an alpha of
  /// 255.
  private struct Held {
    var number = -1
    var person = 0..<0, solid = 0..<0
  }

  /// The sample positions for all readers of mattes on one grid over frames of one format.
  struct Axes {
    fileprivate let horizontal: ScaleAxis
    /// The first pixel at or after each sample of the matte, with one more entry for the end.
    fileprivate let firstPixel: [Int]
    fileprivate let lumaVertical: ScaleAxis, chromaVertical: ScaleAxis

    /// Computes the positions.
    ///
    /// A chroma sample is assumed to be at the centre of its four pixels.
    init(format: FrameFormat, grid: MatteGrid) {
      func axis(_ count: Int, _ sourceCount: Int, step: Double) -> ScaleAxis {
        ScaleAxis(count: count, sourceCount: sourceCount, scale: step / grid.step)
      }
      // An even number of pixels, so that the last chroma sample of an odd width also has two.
      let width = 2 * format.chromaWidth
      horizontal = axis(width, grid.width, step: 1)
      var firstPixel: [Int] = []
      for pixel in 0..<width {
        while unsafe firstPixel.count <= Int(horizontal.positions.base[pixel]) {
          firstPixel.append(pixel)
        }
      }
      while firstPixel.count <= grid.width { firstPixel.append(width) }
      self.firstPixel = firstPixel
      lumaVertical = axis(format.height, grid.height, step: 1)
      chromaVertical = axis(format.chromaHeight, grid.height, step: 2)
    }
  }

  init(_ axes: Axes) {
    self.axes = axes
    let width = axes.horizontal.positions.width
    luma = Raster(width: width, height: 2, filledWith: 0)
    chroma = Raster(width: width, height: 2, filledWith: 0)
  }

  /// Discards the enlarged rows of the previous matte.
  ///
  /// Call this before the first row of each matte.
  func begin() { held = [Held(), Held()] }

  /// Returns the two rows around luma row `y` of the frame, with one alpha per pixel.
  func luma(_ y: Int, of matte: Plane) -> Alpha {
    rows(axes.lumaVertical, y, of: matte, in: luma)
  }

  /// Returns the two rows around chroma row `y` of the frame, with one alpha per byte.
  func chroma(_ y: Int, of matte: Plane) -> Alpha {
    rows(axes.chromaVertical, y, of: matte, in: chroma)
  }

  private func rows(
    _ axis: ScaleAxis, _ y: Int, of matte: Plane, in enlarged: Raster<UInt8>
  ) -> Alpha {
    let position = unsafe Int(axis.positions.base[y])
    let weight = unsafe Int(axis.weights.base[y])
    let next = weight == 0 ? position : min(position + 1, matte.height - 1)
    let (above, below) = (enlarge(position, of: matte), enlarge(next, of: matte))
    var person = above.person.isEmpty ? below.person : above.person
    if !below.person.isEmpty {
      let begin = min(person.lowerBound, below.person.lowerBound)
      person = begin..<max(person.upperBound, below.person.upperBound)
    }
    let row = unsafe RowBetween(
      top: enlarged.row(position & 1), bottom: enlarged.row(next & 1), weight: weight)
    return Alpha(row: row, person: person, solid: above.solid.clamped(to: below.solid))
  }

  /// Enlarges row `y` of the matte, unless that is done already, and returns its ranges.
  private func enlarge(_ y: Int, of matte: Plane) -> Held {
    let slot = y & 1
    if held[slot].number == y { return held[slot] }
    let source = unsafe matte.row(y)
    var new = unsafe pixels(reachedBy: source, matte.width)
    new.number = y
    held[slot] = new
    let (lumaRow, chromaRow) = unsafe (luma.row(slot), chroma.row(slot))
    let (person, solid) = (new.person, new.solid)
    // Fill the whole row: the other row of the pair may have a wider person or fewer solid pixels.
    unsafe fill(lumaRow, person, solid)
    unsafe fill(chromaRow, person, solid)
    unsafe expand(source, person.lowerBound..<solid.lowerBound, lumaRow, chromaRow)
    unsafe expand(source, solid.upperBound..<person.upperBound, lumaRow, chromaRow)
    return new
  }

  private func expand(
    _ source: UnsafePointer<UInt8>, _ pixels: Range<Int>, _ lumaRow: UnsafeMutablePointer<UInt8>,
    _ chromaRow: UnsafeMutablePointer<UInt8>
  ) {
    let (first, count, axis) = (pixels.lowerBound, pixels.count, axes.horizontal)
    unsafe kernels.expandRow(
      source, axis.positions.base + first, axis.weights.base + first, lumaRow + first, count)
    unsafe kernels.averagePairs(lumaRow + first, chromaRow + first, count / 2)
  }

  /// Writes the samples that need no interpolation.
  private func fill(_ row: UnsafeMutablePointer<UInt8>, _ person: Range<Int>, _ solid: Range<Int>) {
    unsafe row.update(repeating: 0, count: person.lowerBound)
    unsafe (row + solid.lowerBound).update(repeating: 255, count: solid.count)
    unsafe (row + person.upperBound).update(repeating: 0, count: luma.width - person.upperBound)
  }

  /// Returns the pixels that may have an alpha above 0, and the pixels with an alpha of 255.
  private func pixels(reachedBy row: UnsafePointer<UInt8>, _ width: Int) -> Held {
    let visible = unsafe row.samples(withAnyOf: 255, count: width)
    if visible.isEmpty { return Held() }
    let (first, last) = (visible.lowerBound, visible.upperBound - 1)
    let firstPixel = axes.firstPixel
    // The first sample also affects the pixels between the previous sample and itself.
    let mask = ~(Self.grain - 1)
    let begin = firstPixel[max(first - 1, 0)] & mask
    let end = min((firstPixel[last + 1] + Self.grain - 1) & mask, luma.width)
    let person = begin..<max(begin, end)
    let samples = unsafe solidSamples(row, first...last)
    // Solid pixels are between two solid samples, or beyond the last sample of the row.
    let solidBegin = (firstPixel[samples.lowerBound] + Self.grain - 1) & mask
    let solidEnd =
      samples.upperBound < width
      ? firstPixel[max(samples.upperBound - 1, 0)] & mask : luma.width
    let solid =
      samples.isEmpty || solidEnd <= solidBegin
      ? begin..<begin : (solidBegin..<solidEnd).clamped(to: person)
    return Held(person: person, solid: solid)
  }

  /// Returns the longest run of samples of 255 that contains an aligned word of eight samples.
  private func solidSamples(_ row: UnsafePointer<UInt8>, _ samples: ClosedRange<Int>) -> Range<Int>
  {
    var longest = samples.lowerBound..<samples.lowerBound
    var begin = samples.lowerBound
    var at = begin
    while at + 8 <= samples.upperBound + 1 {
      let word = unsafe UnsafeRawPointer(row).loadUnaligned(fromByteOffset: at, as: UInt64.self)
      at += 8
      if word != .max {
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
}
