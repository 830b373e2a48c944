import PixelTypes

// Which holes in a body are closed: those that are small, lie inside, and through which the network
// does not see the room for certain.
//
// Each condition is met by degrees and the hole is closed by as much, for one that is now just open
// and now just closed would flicker.

extension Silhouettes {
  /// Alpha of a body without a doubt; what is enclosed and below it is a hole.
  private static let solid: UInt8 = 224
  /// A hole is closed wholly when this share of the body's area is its own, and left alone at twice
  /// as much: the arm on a hip encloses more.
  private static let smallShare = 0.0075
  /// Least alpha at which the room is seen for certain, and at which it is certainly not.
  private static let certainty = 16.0...40.0
  /// The same for a sample that has been the body's until lately.
  private static let certaintyOfNew = 4.0...12.0
  /// Distance to the outline, in relation to the root of the body's area, up to which gaps between
  /// strands of hair lie, and from which on there are none.
  private static let depth = 0.03...0.06

  /// Closes holes in `matte`; the history has this inference already.
  func closeHoles(in matte: Raster<UInt8>) {
    findHoles(in: matte)
    closed.apply(to: matte, opening: ticks)
  }

  private func findHoles(in matte: Raster<UInt8>) {
    guard largestArea > 0, gaps.find(.below(Self.solid), in: matte) else { return }
    let area = Double(largestArea)
    var hasHole = false
    for i in 0..<gaps.count where isHole(i) && share(i, of: area) < 2 { hasHole = true }
    guard hasHole else { return }
    gaps.measure(matte)
    let reach = Self.depth.upperBound * area.squareRoot()
    for hole in 0..<gaps.count where isHole(hole) {
      let small = 2 - share(hole, of: area)
      guard small > 0 else { continue }
      let least = Double(gaps[hole].least)
      var unsure = degree(of: least, in: Self.certainty)
      if unsure < 1 {
        let presence = history.means(of: hole, in: gaps).presence
        if presence > Int(MatteHistory.mostPresence) / 2 {
          unsure = max(unsure, degree(of: least, in: Self.certaintyOfNew))
        }
      }
      guard unsure > 0 else { continue }
      let distance = gaps.distance(from: hole, within: Int(reach), where: { !isHole($0) })
      let deep = degree(of: (distance ?? reach) / area.squareRoot(), in: Self.depth)
      let amount = Int(255 * min(small, 1) * unsure * deep)
      if amount > 0 { close(hole, to: amount) }
    }
  }

  private func isHole(_ i: Int) -> Bool {
    let box = gaps[i]
    return box.left > 0 && box.top > 0 && box.right < grid.width && box.bottom < grid.height
  }

  private func share(_ hole: Int, of area: Double) -> Double {
    Double(gaps[hole].area) / area / Self.smallShare
  }

  private func degree(of value: Double, in range: ClosedRange<Double>) -> Double {
    min(max((value - range.lowerBound) / (range.upperBound - range.lowerBound), 0), 1)
  }

  private func close(_ hole: Int, to amount: Int) {
    let box = gaps[hole]
    for y in box.top..<box.bottom {
      for i in gaps.runs(inRow: y) where gaps.component(of: i) == hole {
        closed.close(gaps.run(i), row: y, to: amount, after: ticks)
      }
    }
    countClosed()
  }
}
