import Matting
import PixelTypes

#if canImport(Glibc)
  import Glibc
#endif

/// Finds the contour of somebody who stands before another, in the silhouette that both share.
///
/// In each row the one in front has the samples from one column to another, on both sides of the face.
/// Of all such contours that one is found, separately for each side, of the least energy: the sum of what
/// each sample costs with the wrong person, by body and by colour, and of what the contour costs where
/// the picture has no edge. The energy is that of Boykov and Jolly 2001, "Interactive Graph Cuts". Its
/// minimum is found by dynamic programming as in Amini, Weymouth and Jain 1990, "Using Dynamic
/// Programming for Solving Variational Problems in Vision".
///
/// The contour is found twice. The second time the colours are learned from the first contour, as in
/// Rother, Kolmogorov and Blake 2004, "GrabCut".
///
/// Used on one thread at a time. Allocates nothing after it is made.
final class OcclusionContour {
  /// What a sample costs with the wrong person by its place, in logarithms of distances.
  private static let placeWeight: Float = 0.4, farthest: Float = 6
  /// The same by its colour, in logarithms of likelihoods.
  private static let colorWeight: Float = 0.5, greatestLikelihood: Float = 4
  /// What a sample costs that changes hands, so that the contour does not tremble.
  private static let changeWeight: Float = 1
  /// The same where colours are learned, in logarithms of distances: who comes nearer to somebody must not
  /// lose their clothes to them.
  private static let learnedChangeWeight: Float = 0.5
  /// What a sample of the contour costs where the picture has no edge, in widths of the smaller face: what
  /// is gained grows with the area, the contour only with the length.
  private static let edgeWeight = 0.8

  private let grid: MatteGrid
  private let colors = PeopleColors()
  /// By how much a sample is rather the front one's: by its place alone, and by all that is known.
  private let places: Raster<Float>, benefits: Raster<Float>
  /// What it costs if the contour runs between a sample and the one to its left.
  private let leftEdges: Raster<Float>
  /// The same between a sample and the one above; the sum over all samples to the left of a column.
  private let upperSums: Raster<Float>
  /// Of each row and each column where the contour may run: the least energy of all rows down to it.
  private let energies: Raster<Float>
  /// Where the front one's columns begin in each row, and the column after their last.
  private var firsts: [Int], ends: [Int]

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid) {
    self.grid = grid
    func raster(_ width: Int) -> Raster<Float> {
      Raster(width: width, height: grid.height, filledWith: 0)
    }
    (places, benefits, leftEdges) = (raster(grid.width), raster(grid.width), raster(grid.width))
    (upperSums, energies) = (raster(grid.width + 1), raster(grid.width + 1))
    firsts = Array(repeating: 0, count: grid.height)
    ends = firsts
  }

  /// The columns of row `y` that belong to the one in front, by the last `find`.
  func columns(inRow y: Int) -> Range<Int> { firsts[y]..<ends[y] }

  /// Finds the contour of `front`, who hides a part of `behind`, in a matte and its picture.
  ///
  /// What is known of both bodies is finite.
  /// `past`, multiplied by its sign, is 1 for samples that were the front one's in the matte before, -1 for
  /// those of the other.
  func find(
    _ front: BodyOutline.Body, before behind: BodyOutline.Body, in matte: Raster<UInt8>,
    picture: Frame, past: (owners: Raster<Int8>, sign: Float)? = nil
  ) {
    place(front, behind, matte)
    findEdges(
      matte, picture, weight: Float(Self.edgeWeight * min(front.width, behind.width)))
    let axis = Int(min(max(front.x, 0), Double(grid.width)))
    weighPlaces(past)
    _ = colors.learn(benefits, matte, picture)
    weigh(matte, picture, past)
    solve(axis)
    // By their place long hair and arms may be the other's. The first contour tells better whose their
    // colours are, if it leaves enough of both.
    markDivision()
    guard colors.learn(benefits, matte, picture) else { return }
    weigh(matte, picture, past)
    solve(axis)
  }

  /// What the places of samples tell: 0 where both bodies are as near, more where the front one's is.
  private func place(
    _ front: BodyOutline.Body, _ behind: BodyOutline.Body, _ matte: Raster<UInt8>
  ) {
    let beside = BodyOutline.shareBeside(behind, front)
    for y in 0..<grid.height {
      let near = BodyOutline.front.row(y, of: front)
      let whole = BodyOutline.front.row(y, of: behind)
      let hidden = BodyOutline.behind.row(y, of: behind)
      let (row, out) = unsafe (matte.row(y), places.row(y))
      for x in 0..<grid.width {
        guard unsafe row[x] > 0 else {
          unsafe out[x] = 0
          continue
        }
        let far = (1 - beside) * hidden.distance(x) + beside * whole.distance(x)
        let ratio = logf((far + 1e-3) / (near.distance(x) + 1e-3))
        unsafe out[x] = min(max(ratio, -Self.farthest), Self.farthest)
      }
    }
  }

  /// Makes benefits of places and of the past, for `learn` alone; `weigh` replaces them.
  private func weighPlaces(_ past: (owners: Raster<Int8>, sign: Float)?) {
    let change = Self.learnedChangeWeight * (past?.sign ?? 0)
    for y in 0..<grid.height {
      let (placeRow, out) = unsafe (places.row(y), benefits.row(y))
      unsafe out.update(from: placeRow, count: grid.width)
      guard let owners = unsafe past?.owners.row(y) else { continue }
      for x in 0..<grid.width { unsafe out[x] += change * Float(owners[x]) }
    }
  }

  /// Makes benefits of places, of the colours that were learned, and of the past.
  private func weigh(
    _ matte: Raster<UInt8>, _ picture: Frame, _ past: (owners: Raster<Int8>, sign: Float)?
  ) {
    for y in 0..<grid.height {
      let (row, placeRow, out) = unsafe (matte.row(y), places.row(y), benefits.row(y))
      let change = Self.changeWeight * (past?.sign ?? 0)
      let owners = unsafe past?.owners.row(y)
      let samples = PeopleColors.Row(picture, y)
      for x in 0..<grid.width {
        let place = unsafe Self.placeWeight * placeRow[x]
        guard unsafe row[x] >= Matte.solid else {
          // A soft sample is the person's beside whom it lies; its colour is half the room's.
          unsafe out[x] = place * Float(row[x]) / 255
          continue
        }
        let likelihood = min(
          max(colors.likelihood(samples.color(x)), -Self.greatestLikelihood),
          Self.greatestLikelihood)
        unsafe out[x] = place + Self.colorWeight * likelihood
        if let owners = unsafe owners { unsafe out[x] += change * Float(owners[x]) }
      }
    }
  }

  /// Fills the benefits with the last contour, for `learn` alone; `weigh` replaces them.
  private func markDivision() {
    for y in 0..<grid.height {
      let (out, own) = unsafe (benefits.row(y), columns(inRow: y))
      for x in 0..<grid.width { unsafe out[x] = own.contains(x) ? Self.farthest : -Self.farthest }
    }
  }

  // MARK: - Edges

  private func findEdges(_ matte: Raster<UInt8>, _ picture: Frame, weight: Float) {
    var (sum, count) = (0.0, 0.0)
    for y in 0..<grid.height {
      let (row, left, upper) = unsafe (matte.row(y), leftEdges.row(y), upperSums.row(y))
      let above = unsafe matte.row(max(y - 1, 0))
      let (own, before) = (PeopleColors.Row(picture, y), PeopleColors.Row(picture, max(y - 1, 0)))
      for x in 0..<grid.width {
        let here = unsafe row[x] >= Matte.solid
        // Where either is room there is no contour to be paid for: a difference below 0 says so.
        let joinsLeft = unsafe here && x > 0 && row[max(x - 1, 0)] >= Matte.solid
        let joinsUpper = unsafe here && y > 0 && above[x] >= Matte.solid
        unsafe left[x] = joinsLeft ? own.difference(x, own, x - 1) : -1
        unsafe upper[x] = joinsUpper ? own.difference(x, before, x) : -1
        if joinsLeft, joinsUpper {
          unsafe sum += Double(left[x] + upper[x])
          count += 2
        }
      }
    }
    // Differences of twice the mean are edges.
    let typical = Float(2 * max(sum / max(count, 1), 1))
    func price(_ difference: Float) -> Float {
      difference < 0 ? 0 : weight * expf(-difference / typical)
    }
    for y in 0..<grid.height {
      let (left, upper) = unsafe (leftEdges.row(y), upperSums.row(y))
      var sum: Float = 0
      for x in 0..<grid.width {
        unsafe left[x] = price(left[x])
        let own = unsafe price(upper[x])
        unsafe upper[x] = sum
        sum += own
      }
      unsafe upper[grid.width] = sum
    }
  }

  // MARK: - The least energy

  /// Finds the columns of the one in front, on both sides of the column `axis`.
  private func solve(_ axis: Int) {
    solve(axis...grid.width, 1) { y, column in ends[y] = column }
    solve(0...axis, -1) { y, column in firsts[y] = column }
  }

  /// Finds the column of the contour in each row.
  ///
  /// What lies to its left is the front one's if `sign` is 1, what lies to its right if it is -1.
  private func solve(
    _ columns: ClosedRange<Int>, _ sign: Float, _ result: (_ row: Int, _ column: Int) -> Void
  ) {
    for y in 0..<grid.height {
      let (own, gains, edges) = unsafe (energies.row(y), benefits.row(y), leftEdges.row(y))
      if y > 0 {
        unsafe descend(columns, from: energies.row(y - 1), to: own, upperSums.row(y))
      } else {
        unsafe own.update(repeating: 0, count: grid.width + 1)
      }
      var gain: Float = 0
      for x in columns {
        // Neither the axis nor the frame's border is cut.
        let isBorder = x == columns.lowerBound || x == columns.upperBound
        unsafe own[x] += (isBorder ? 0 : edges[x]) - gain
        if x < columns.upperBound { unsafe gain += sign * gains[x] }
      }
    }
    var column = columns.lowerBound
    for y in (0..<grid.height).reversed() {
      let own = unsafe energies.row(y)
      // As nothing is crossed below the last row, so above the first: its sums are 0.
      let sums = unsafe upperSums.row(y + 1 < grid.height ? y + 1 : 0)
      let start = unsafe sums[column]
      var (best, least) = (columns.lowerBound, Float.infinity)
      for x in columns {
        let energy = unsafe own[x] + abs(start - sums[x])
        if energy < least { (best, least) = (x, energy) }
      }
      column = best
      result(y, column)
    }
  }

  /// Finds the least energy of each column of a row: that of a column above, and what is crossed on the way.
  private func descend(
    _ columns: ClosedRange<Int>, from before: UnsafeMutablePointer<Float>,
    to own: UnsafeMutablePointer<Float>, _ sums: UnsafeMutablePointer<Float>
  ) {
    var least = Float.infinity
    for x in columns {
      least = unsafe min(least, before[x] - sums[x])
      unsafe own[x] = least + sums[x]
    }
    least = .infinity
    for x in columns.reversed() {
      least = unsafe min(least, before[x] + sums[x])
      unsafe own[x] = min(own[x], least - sums[x])
    }
  }
}
