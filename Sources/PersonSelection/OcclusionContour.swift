import Glibc
import Matting
import PixelTypes

/// Finds the contour of a person in front of another, within their common silhouette.
///
/// In each row the front person has a range of columns on both sides of the face. The contour
/// minimises an energy, separately for each side. The energy is the sum of two costs. One is the
/// cost of the samples that are assigned to the wrong person, by body and by colour. The other is
/// the cost of a contour away from edges of the picture. The energy follows Boykov and Jolly 2001,
/// "Interactive Graph Cuts". The minimum is found by dynamic programming as in Amini, Weymouth and
/// Jain 1990, "Using Dynamic Programming for Solving Variational Problems in Vision".
///
/// Not thread-safe. Allocates only in `init`.
final class OcclusionContour {
  /// The cost of a wrong assignment by position, in logarithms of distances, and its limit.
  private static let placeWeight: Float = 0.4, maxPlace: Float = 6
  /// The cost of a wrong assignment by colour, in logarithms of likelihoods, and its limit.
  private static let colorWeight: Float = 0.5, maxLikelihood: Float = 4
  /// The cost of a sample that changes owner while colours are learned, instead of 1.
  ///
  /// An approaching person must keep the samples of their own clothes.
  private static let learnedChangeWeight: Float = 0.5
  /// The cost of a contour sample away from picture edges, in widths of the smaller face.
  ///
  /// The cost is relative to the face. Otherwise it would be too small for large faces: the other
  /// costs grow with the area, but the number of contour samples only with the length.
  private static let edgeWeight = 0.8

  private let grid: MatteGrid
  private let colors = PairColorModel()
  /// The preference of each sample for the front person: by position alone, and in total.
  private let places: Raster<Float>, benefits: Raster<Float>
  /// The cost of a contour between a sample and its left neighbour.
  private let leftEdges: Raster<Float>
  /// The cost between samples and their upper neighbours, summed to the left of a column.
  private let upperSums: Raster<Float>
  /// The minimum energy of all rows down to this one, per row and column of the contour.
  private let energies: Raster<Float>
  /// The first column of the front person in each row, and the column after their last.
  private var firsts: [Int], ends: [Int]

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

  /// The columns of row `y` that belong to the front person, from the last `find`.
  func columns(inRow y: Int) -> Range<Int> { firsts[y]..<ends[y] }

  /// Finds the contour of `front`, an occluder of `behind`, in a matte and its picture.
  ///
  /// The coordinates of both faces must be finite. `past.owners` multiplied by `past.sign` is 1
  /// for samples of the front person in the previous matte, and -1 for samples of the other.
  func find(
    _ front: FacePosition, before behind: FacePosition, in matte: Raster<UInt8>,
    picture: Frame, past: (owners: Raster<Int8>, sign: Float)? = nil
  ) {
    place(front, behind, matte, past)
    findEdges(matte, picture, weight: Float(Self.edgeWeight * min(front.width, behind.width)))
    let axis = Int(min(max(front.x, 0), Double(grid.width)))
    colors.learn(benefits, matte, picture)
    weigh(matte, picture, past)
    solve(axis)
  }

  /// Computes the preference of each sample by its position, and its benefit for `learn`.
  ///
  /// The preference is 0 if both bodies are equally near and positive if the front one is nearer.
  /// The benefit also depends on the past.
  private func place(
    _ front: FacePosition, _ behind: FacePosition, _ matte: Raster<UInt8>,
    _ past: (owners: Raster<Int8>, sign: Float)?
  ) {
    let change = Self.learnedChangeWeight * (past?.sign ?? 0)
    let sideBySide = BodyOutline.sideBySideShare(behind, front)
    for y in 0..<grid.height {
      let near = BodyOutline.front.row(y, of: front)
      let whole = BodyOutline.front.row(y, of: behind)
      let hidden = BodyOutline.behind.row(y, of: behind)
      let (row, placeRow, out) = unsafe (matte.row(y), places.row(y), benefits.row(y))
      let owners = unsafe past?.owners.row(y)
      for x in 0..<grid.width {
        var place: Float = 0
        if unsafe row[x] > 0 {
          let far = (1 - sideBySide) * hidden.distance(x) + sideBySide * whole.distance(x)
          let ratio = logf((far + 1e-3) / (near.distance(x) + 1e-3))
          place = min(max(ratio, -Self.maxPlace), Self.maxPlace)
        }
        unsafe (placeRow[x], out[x]) = (place, place)
        if let owners = unsafe owners { unsafe out[x] += change * Float(owners[x]) }
      }
    }
  }

  /// Sets the benefits from positions, learned colours and the past.
  private func weigh(
    _ matte: Raster<UInt8>, _ picture: Frame, _ past: (owners: Raster<Int8>, sign: Float)?
  ) {
    for y in 0..<grid.height {
      let (row, placeRow, out) = unsafe (matte.row(y), places.row(y), benefits.row(y))
      // A change of the owner has a cost of 1, which keeps the contour from flickering.
      let change = past?.sign ?? 0
      let owners = unsafe past?.owners.row(y)
      let samples = PairColorModel.Row(picture, y)
      for x in 0..<grid.width {
        let place = unsafe Self.placeWeight * placeRow[x]
        guard unsafe row[x] >= Matte.solid else {
          // A soft sample belongs to the adjacent person, but half of its colour is the room's.
          unsafe out[x] = place * Float(row[x]) / 255
          continue
        }
        let likelihood = min(
          max(colors.likelihood(samples.color(x)), -Self.maxLikelihood),
          Self.maxLikelihood)
        unsafe out[x] = place + Self.colorWeight * likelihood
        if let owners = unsafe owners { unsafe out[x] += change * Float(owners[x]) }
      }
    }
  }

  // MARK: - Edges

  private func findEdges(_ matte: Raster<UInt8>, _ picture: Frame, weight: Float) {
    var (sum, count) = (0.0, 0.0)
    for y in 0..<grid.height {
      let (row, left, upper) = unsafe (matte.row(y), leftEdges.row(y), upperSums.row(y))
      let upperY = max(y - 1, 0)
      let above = unsafe matte.row(upperY)
      let own = PairColorModel.Row(picture, y), before = PairColorModel.Row(picture, upperY)
      for x in 0..<grid.width {
        let here = unsafe row[x] >= Matte.solid
        // A contour next to the room is free. A negative difference marks that.
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

  // MARK: - Minimum energy

  /// Finds the columns of the front person, on both sides of the column `axis`.
  private func solve(_ axis: Int) {
    solve(axis...grid.width, 1) { y, column in ends[y] = column }
    solve(0...axis, -1) { y, column in firsts[y] = column }
  }

  /// Finds the column of the contour in each row.
  ///
  /// The front person is to its left if `sign` is 1, and to its right if `sign` is -1.
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
        // A contour along the axis or along the frame's border is free.
        let isBorder = x == columns.lowerBound || x == columns.upperBound
        unsafe own[x] += (isBorder ? 0 : edges[x]) - gain
        if x < columns.upperBound { unsafe gain += sign * gains[x] }
      }
    }
    var column = columns.lowerBound
    for y in (0..<grid.height).reversed() {
      let own = unsafe energies.row(y)
      // Below the last row the contour crosses no edge. The sums of the first row are 0 and serve
      // for that.
      let sums = unsafe upperSums.row(y + 1 < grid.height ? y + 1 : 0)
      let start = unsafe sums[column]
      var (best, minEnergy) = (columns.lowerBound, Float.infinity)
      for x in columns {
        let energy = unsafe own[x] + abs(start - sums[x])
        if energy < minEnergy { (best, minEnergy) = (x, energy) }
      }
      column = best
      result(y, column)
    }
  }

  /// Finds the minimum energy per column of a row.
  ///
  /// It is the energy of a column above plus the cost of the edges crossed on the way.
  private func descend(
    _ columns: ClosedRange<Int>, from before: UnsafeMutablePointer<Float>,
    to own: UnsafeMutablePointer<Float>, _ sums: UnsafeMutablePointer<Float>
  ) {
    var minEnergy = Float.infinity
    for x in columns {
      minEnergy = unsafe min(minEnergy, before[x] - sums[x])
      unsafe own[x] = minEnergy + sums[x]
    }
    minEnergy = .infinity
    for x in columns.reversed() {
      minEnergy = unsafe min(minEnergy, before[x] + sums[x])
      unsafe own[x] = min(own[x], minEnergy - sums[x])
    }
  }
}
