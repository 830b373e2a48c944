import PixelTypes

// Decides which components are people, relative to the size of the largest component.

extension ComponentFilter {
  /// A component of at least 1 / `largeShare` of the largest area is a person with any alpha.
  ///
  /// A fifth of the area is less than half of the width and height.
  private static let largeShare = 5
  /// Below 1 / `speckShare` of the largest area, only a component's bounding box is tested.
  private static let speckShare = 2000
  /// The minimum peak alpha of a component that the network is sure about.
  private static let minSurePeak: UInt8 = 224
  /// The minimum mean alpha of a component that the network is sure about, including the soft edge.
  static let minSureMean = 160
  /// How long a fragment of a person counts as a person without independent evidence.
  private static let graceTime = MatteClock.ticks(seconds: 0.5)

  /// The maximum distance of a limb from its body in samples: about a hand of the largest person.
  package var reach: Int { Self.reach(ofArea: largestArea) }

  /// Returns the reach for a largest person of `area` samples.
  static func reach(ofArea area: Int) -> Int { Int(0.15 * Double(area).squareRoot()) }

  /// Returns whether a component is a separate person, as opposed to a limb.
  package func isBody(_ i: Int) -> Bool {
    verdicts[i].isPerson && verdicts[i].isStandalonePerson
  }

  /// Decides for each component whether it is a person or belongs to one.
  package func judge() {
    let largest = largestArea
    let reach = reach
    for i in 0..<components.count where components[i].area * Self.largeShare >= largest {
      verdicts[i].isPerson = true
      verdicts[i].isStandalonePerson = true
      verdicts[i].graceTicks = Self.graceTime
    }
    for i in 0..<components.count where components[i].area * Self.largeShare < largest {
      judgeIsland(i, largest: largest, reach: reach)
    }
  }

  private func judgeIsland(_ i: Int, largest: Int, reach: Int) {
    // An excluded component is not a limb, and is too small to be tracked as a person.
    if verdicts[i].isExcluded { return }
    let sure = isSure(i)
    let graceTicks = verdicts[i].graceTicks
    if isNearPerson(i, largest: largest, reach: reach) {
      verdicts[i].isPerson = true
    } else {
      let descends = 8 * verdicts[i].inherited >= components[i].area
      verdicts[i].isPerson = sure || descends && graceTicks > 0
      verdicts[i].isStandalonePerson = sure && verdicts[i].isPerson
    }
    let own = sure ? Self.graceTime : graceTicks - ticks
    verdicts[i].graceTicks = verdicts[i].isPerson ? max(own, 0) : 0
  }

  private func isSure(_ i: Int) -> Bool {
    components[i].peak >= Self.minSurePeak && components[i].mean >= Self.minSureMean
  }

  private func isNearPerson(_ i: Int, largest: Int, reach: Int) -> Bool {
    guard components[i].area * Self.speckShare < largest else {
      return components.distance(from: i, within: reach, where: { verdicts[$0].isStandalonePerson })
        != nil
    }
    let box = components[i]
    for other in 0..<components.count where verdicts[other].isStandalonePerson {
      let body = components[other]
      if box.left < body.right + reach, body.left < box.right + reach,
        box.top < body.bottom + reach, body.top < box.bottom + reach
      {
        return true
      }
    }
    return false
  }
}
