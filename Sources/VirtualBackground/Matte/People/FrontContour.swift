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
final class FrontContour {
  /// What a sample costs with the wrong person by its place, in logarithms of distances.
  private static let placeWeight: Float = 0.4, farthest: Float = 6
  /// The same by its colour, in logarithms of likelihoods.
  private static let colorWeight: Float = 0.6, greatestLikelihood: Float = 3
  /// What a sample costs that changes hands, so that the contour does not tremble.
  private static let changeWeight: Float = 0.5
  /// What a sample of the contour costs where the picture has no edge, in widths of the smaller face: what
  /// is gained grows with the area, the contour only with the length.
  private static let edgeWeight = 0.45

  private let grid: MatteGrid
  private let colors = PeopleColors()
  /// By how much a sample is rather the front one's: by its place alone, and by all that is known.
  private let places: Raster<Float>, benefits: Raster<Float>
  /// What it costs if the contour runs between a sample and the one to its left, or the one above.
  private let leftEdges: Raster<Float>, upperEdges: Raster<Float>
  /// Of each row and each end of the contour: the least energy of all rows down to it.
  private let energies: Raster<Float>
  /// The sums of edges that the contour crosses between two rows.
  private var crossings: [Float]
  /// Where the front one's columns begin in each row, and the column after their last.
  private var firsts: [Int], ends: [Int]

  /// Allocates memory for mattes on `grid`.
  init(grid: MatteGrid) {
    self.grid = grid
    func raster(_ width: Int) -> Raster<Float> {
      Raster(width: width, height: grid.height, filledWith: 0)
    }
    (places, benefits) = (raster(grid.width), raster(grid.width))
    (leftEdges, upperEdges) = (raster(grid.width), raster(grid.width))
    energies = raster(grid.width + 1)
    crossings = Array(repeating: 0, count: grid.width + 1)
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
    _ = colors.learn(places, matte, picture)
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
    for y in 0..<grid.height {
      let (near, far) = (BodyOutline.front.row(y, of: front), BodyOutline.behind.row(y, of: behind))
      let (row, out) = unsafe (matte.row(y), places.row(y))
      for x in 0..<grid.width {
        guard unsafe row[x] > 0 else {
          unsafe out[x] = 0
          continue
        }
        let ratio = logf((far.distance(x) + 1e-3) / (near.distance(x) + 1e-3))
        unsafe out[x] = min(max(ratio, -Self.farthest), Self.farthest)
      }
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
      let (row, left, upper) = unsafe (matte.row(y), leftEdges.row(y), upperEdges.row(y))
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
    price(leftEdges, typical, weight)
    price(upperEdges, typical, weight)
  }

  /// Turns differences into what the contour costs between two samples.
  private func price(_ edges: Raster<Float>, _ typical: Float, _ weight: Float) {
    for i in 0..<grid.width * grid.height {
      let difference = unsafe edges.base[i]
      unsafe edges.base[i] = difference < 0 ? 0 : weight * expf(-difference / typical)
    }
  }

  // MARK: - The least energy

  /// Finds the columns of the one in front, on both sides of the column `axis`.
  private func solve(_ axis: Int) {
    solve(axis, 1) { y, count in ends[y] = axis + count }
    solve(axis, -1) { y, count in firsts[y] = axis - count }
  }

  /// Finds how many samples of each row belong to the one in front, from the axis outward: to the right
  /// if the `step` is 1, to the left if it is -1.
  private func solve(_ axis: Int, _ step: Int, _ result: (_ row: Int, _ count: Int) -> Void) {
    let most = step > 0 ? grid.width - axis : axis
    /// The sample that is number `n` from the axis, and the one whose left edge lies before it.
    func sample(_ n: Int) -> Int { step > 0 ? axis + n : axis - 1 - n }
    func edge(_ n: Int) -> Int { step > 0 ? axis + n : axis - n }

    func sumCrossings(_ y: Int) {
      crossings[0] = 0
      let edges = unsafe upperEdges.row(y)
      for n in 0..<most { unsafe crossings[n + 1] = crossings[n] + edges[sample(n)] }
    }
    for y in 0..<grid.height {
      let (own, gains, edges) = unsafe (energies.row(y), benefits.row(y), leftEdges.row(y))
      unsafe own.update(repeating: 0, count: most + 1)
      if y > 0 {
        let before = unsafe energies.row(y - 1)
        sumCrossings(y)
        var least = Float.infinity
        for n in 0...most {
          least = unsafe min(least, before[n] - crossings[n])
          unsafe own[n] = crossings[n] + least
        }
        least = .infinity
        for n in (0...most).reversed() {
          least = unsafe min(least, before[n] + crossings[n])
          unsafe own[n] = min(own[n], least - crossings[n])
        }
      }
      var gain: Float = 0
      for n in 0...most {
        if n > 0 { unsafe gain += gains[sample(n - 1)] }
        // Neither the axis nor the frame's border is cut.
        let cost = unsafe n > 0 && n < most ? edges[edge(n)] : 0
        unsafe own[n] += cost - gain
      }
    }
    var count = 0
    for y in (0..<grid.height).reversed() {
      let own = unsafe energies.row(y)
      var (best, least) = (0, Float.infinity)
      let isLast = y == grid.height - 1
      if !isLast { sumCrossings(y + 1) }
      for n in 0...most {
        let energy = unsafe own[n] + (isLast ? 0 : abs(crossings[count] - crossings[n]))
        if energy < least { (best, least) = (n, energy) }
      }
      count = best
      result(y, count)
    }
  }
}
