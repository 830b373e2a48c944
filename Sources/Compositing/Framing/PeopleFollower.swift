import Glibc

/// Moves the shown region so that it contains the people of a matte.
///
/// The region moves like a critically damped spring towards its target: it starts and stops slowly,
/// and does not swing. The target ignores small movements. The motion is faster the closer the
/// people are to the edge of the region. All values are shares of the frame, so the motion does not
/// depend on the frame size, and it is computed from times, so it does not depend on the frame
/// rate.
package struct PeopleFollower {
  /// The region for the last matte.
  package private(set) var region = ShownRegion.whole

  // The measurements below used simulated people at 30 frames per second: they walk, stand up, sway
  // and come in. A width is the width of the frame.

  /// The margin left and right of the people together, as a share of their width.
  private static let margin = 1.0 / 3
  /// The room above the people as a share of the region's height, as in portraits and interviews.
  private static let headRoom = 0.12
  /// The room below uncut people as a share of the region's height.
  ///
  /// It is larger than `comfort`, so that people in a region that has arrived make nothing faster.
  private static let footRoom = comfort + arrival
  /// The size from which the whole frame is shown, because scaling costs more sharpness than it
  /// gains.
  private static let maxSize = 0.94
  /// The time constant in seconds with which the recent outline shrinks.
  ///
  /// With 0.25, a walker accelerates the region 1.2 times as much.
  private static let holdTime = 0.5
  /// The seconds without people after which the whole frame is shown.
  ///
  /// It is longer than mattes usually miss people.
  private static let absenceTime = 2.0
  /// The distance of the wanted region from the target that starts a motion, as a share of its
  /// size.
  ///
  /// The region ignores swaying by 0.02 widths to each side. With 0.06, it follows.
  private static let minMove = 0.1
  /// The distance between region and target that ends a motion, in widths.
  ///
  /// With 0.003 or 0.03, slow swaying by 0.03 widths to each side moves the region.
  private static let arrival = 0.01
  /// The growth and the shrinkage of the wanted region that start a motion.
  private static let minGrowth = 1.04, minShrinkage = 0.85
  /// The distance between people and the region's edge below which the motion is faster, as a share
  /// of the region's size.
  ///
  /// With 0.04, a fast walker accelerates the region 1.1 times as much.
  private static let comfort = 0.08
  /// The minimum share of the people's visible part that a region without a jump contains.
  private static let minVisibleShare = 0.35
  /// The natural frequency in radians per second of a region that shrinks and of one that moves.
  ///
  /// The region covers 90 % of a distance in 3.9 divided by the frequency.
  private static let shrinking = 1.2, moving = 3.0
  /// The increase of the frequency per share of the region's size by which people exceed its
  /// comfortable part.
  ///
  /// With 50, a face that moves 0.6 widths per second leaves the region for 197 of 900 frames. With
  /// 220, a slow walker accelerates the region 1.9 times as much.
  private static let hurry = 110.0
  /// The maximum frequency.
  ///
  /// A new person at the other edge is outside of the region for 3 frames. With 20, it is 4 frames.
  private static let maxFrequency = 8 * moving
  /// The time constant in seconds with which the frequency falls.
  ///
  /// If it fell at once, the velocity would carry the region past its target: with a target of 0.8
  /// after a person comes in, to 0.92.
  private static let calming = 0.2
  /// The distance and the speed per second below which the region has arrived: 0.4 pixels at 1080p.
  private static let rest = arrival / 50

  private var velocity = (x: 0.0, y: 0.0, size: 0.0)
  private var frequency = 0.0
  private var target = ShownRegion.whole
  /// Whether the target follows the people.
  private var isMoving = false
  /// The extent that the people had recently, or nil without people.
  private var recent: PeopleOutline?
  private var absentTime = 0.0
  private var lastTime: UInt64?

  /// Whether the follower has seen a matte.
  package var isUsed: Bool { lastTime != nil }

  package init() {}

  /// Returns the region for a frame with these people.
  ///
  /// `people` is nil if the matte shows no person. `time` is in nanoseconds. The region moves to a
  /// target of at least `1 / maxZoom` of the frame.
  package mutating func follow(
    _ people: PeopleOutline?, maxZoom: Double, at time: UInt64
  ) -> ShownRegion {
    // After a gap between mattes, the motion continues from its last position.
    let elapsed = lastTime.map { time > $0 ? min(Double(time - $0) / 1e9, 0.25) : 0 } ?? 0
    lastTime = time
    let jumps = record(people, after: elapsed)
    let excess = people.map { max(self.excess($0, isCut: recent?.isCut == true), 0) } ?? 0
    var wanted = target
    if let recent {
      // A region that must hurry does not shrink at the same time.
      wanted = Self.wanted(
        for: recent, minSize: max(1 / maxZoom, excess > 0 && !jumps ? region.size : 0))
    } else if absentTime > Self.absenceTime {
      wanted = .whole
    }
    if jumps || departs(wanted) || target.size < 1 / maxZoom { isMoving = true }
    if isMoving { target = wanted }
    if jumps {
      (region, velocity) = (target, (0, 0, 0))
    } else {
      let calm = target.size < 0.98 * region.size ? Self.shrinking : Self.moving
      frequency = max(
        min(calm + Self.hurry * excess, Self.maxFrequency),
        frequency * exp(-elapsed / Self.calming))
      move(for: elapsed)
    }
    if target.distance(to: region) < Self.arrival { isMoving = false }
    return region
  }

  /// Adds the people to the recent outline, and returns whether the region must jump to them.
  ///
  /// It jumps after a cut, and if people were too fast to follow.
  private mutating func record(_ people: PeopleOutline?, after elapsed: Double) -> Bool {
    guard let people else {
      absentTime += elapsed
      if absentTime > Self.absenceTime { recent = nil }
      return false
    }
    let jumps = people.visibleShare(in: region) < Self.minVisibleShare
    let share = 1 - exp(-elapsed / Self.holdTime)
    recent = jumps ? people : recent?.moved(share, to: people).union(people) ?? people
    absentTime = 0
    return jumps
  }

  /// Returns the best region for people.
  private static func wanted(for people: PeopleOutline, minSize: Double) -> ShownRegion {
    let footRoom = people.isCut ? 0 : footRoom
    let size = max(
      (people.right - people.left) * (1 + margin),
      (people.visibleBottom - people.top) / (1 - headRoom - footRoom), minSize)
    guard size < maxSize else { return .whole }
    // If uncut people have more room than necessary, a third of it is above them.
    let rest = people.isCut ? 0 : (size - (people.bottom - people.top)) / 3
    let y = people.top - max(headRoom * size, rest)
    let x = (people.left + people.right - size) / 2
    return ShownRegion(x: min(max(x, 0), 1 - size), y: min(max(y, 0), 1 - size), size: size)
  }

  /// Returns whether the wanted region has noticeably departed from the target.
  private func departs(_ wanted: ShownRegion) -> Bool {
    let change = (wanted.size - target.size) / 2
    let distance = max(abs(wanted.x - target.x + change), abs(wanted.y - target.y + change))
    return distance > Self.minMove * wanted.size || wanted.size > Self.minGrowth * target.size
      || wanted.size < Self.minShrinkage * target.size
  }

  /// Returns how far people are beyond the comfortable part of the region, as a share of its size.
  ///
  /// The edges of the frame do not count, because the region cannot pass them. If the lower edge
  /// cuts the people, only the part that must be visible counts. That part may be a little beyond
  /// the region, because the target ignores small movements.
  private func excess(_ people: PeopleOutline, isCut: Bool) -> Double {
    let (endX, endY) = (region.x + region.size, region.y + region.size)
    var excess = -1.0
    if region.x > 0 { excess = region.x - people.left }
    if region.y > 0 { excess = max(excess, region.y - people.top) }
    if endX < 1 { excess = max(excess, people.right - endX) }
    if endY < 1, !isCut { excess = max(excess, people.bottom - endY) }
    if endY < 1, isCut {
      let slack = (Self.minMove + Self.comfort) * region.size
      excess = max(excess, people.visibleBottom - endY - slack)
    }
    return excess / region.size + Self.comfort
  }

  /// Moves the region towards the target, by the exact solution of a critically damped spring.
  ///
  /// All three numbers use one frequency, so the region stays in the frame while they move.
  private mutating func move(for elapsed: Double) {
    let frequency = frequency
    let decay = exp(-frequency * elapsed)
    func step(_ value: inout Double, _ velocity: inout Double, to target: Double) {
      let distance = value - target
      let change = (velocity + frequency * distance) * elapsed
      value = target + (distance + change) * decay
      velocity = (velocity - frequency * change) * decay
    }
    step(&region.x, &velocity.x, to: target.x)
    step(&region.y, &velocity.y, to: target.y)
    step(&region.size, &velocity.size, to: target.size)
    // A target that moves against the motion can make the region pass the edge of the frame.
    region.size = min(region.size, 1)
    region.x = min(max(region.x, 0), 1 - region.size)
    region.y = min(max(region.y, 0), 1 - region.size)
    let distance = region.distance(to: target)
    let speed = max(abs(velocity.x), abs(velocity.y), abs(velocity.size))
    if distance < Self.rest, speed < Self.rest { (region, velocity) = (target, (0, 0, 0)) }
  }
}
