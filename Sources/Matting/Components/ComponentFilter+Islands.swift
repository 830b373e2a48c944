import PixelTypes

// Which verdicts are people. The largest part says how large people are in the picture.

extension ComponentFilter {
  /// A part of a fifth of the largest, which is less than half as wide and high, is a person
  /// whatever the network thinks of it.
  private static let largeShare = 5
  /// Of a part of fewer samples in relation to the largest only the rectangle is looked at.
  private static let speckShare = 2000
  /// What the network is sure of has samples of at least this alpha...
  private static let surePeak: UInt8 = 224
  /// ...and this mean, soft edge and all.
  private static let sureMean = 160
  // Times, in ticks of a `MatteClock`.

  /// From this mean of the history's doubt on the network cannot make up its mind about a part: a
  /// blurred hand is gone by then.
  private static let lastingDoubt = 2 * MatteClock.ticks(seconds: 1.5)
  /// Samples that have been the person's for a while have this presence.
  private static let lastingPresence = MatteClock.ticks(seconds: 0.2)
  /// For so long a sure part far from everyone is held back: what a network takes for a person by
  /// mistake is mostly gone then...
  private static let trial = MatteClock.ticks(seconds: 0.2)
  /// ...and where people come in, at the left, right and lower edge, for so long.
  private static let trialAtEdge = MatteClock.ticks(seconds: 0.1)
  /// For so long what comes of a person is one without a reason of its own.
  private static let credit = MatteClock.ticks(seconds: 0.5)

  /// How far from a body its limbs may lie: as far as a hand is long, in relation to the largest.
  package var reach: Int { Int(0.15 * Double(largestArea).squareRoot()) }

  /// Whether a part counts as a person of its own, as opposed to a limb.
  package func isBody(_ i: Int) -> Bool {
    verdicts[i].isPerson && verdicts[i].isStandalonePerson
  }

  /// Decides of each part whether it is a person's.
  package func judge() {
    let largest = largestArea
    let reach = reach
    for i in 0..<components.count where components[i].area * Self.largeShare >= largest {
      // An empty room: what is small and has long been in doubt is no person, though it be the
      // largest.
      let isFaint =
        components[i].area * 20 < grid.width * grid.height && !isSure(i)
        && verdicts[i].past.doubt >= Self.lastingDoubt
      if isFaint { continue }
      verdicts[i].isPerson = true
      verdicts[i].isStandalonePerson = true
      verdicts[i].credit = Self.credit
    }
    for i in 0..<components.count where components[i].area * Self.largeShare < largest {
      judgeIsland(i, largest: largest, reach: reach)
    }
  }

  private func judgeIsland(_ i: Int, largest: Int, reach: Int) {
    // No limb, and too small to be followed as a person.
    if verdicts[i].isExcluded { return }
    let sure = isSure(i)
    let credit = verdicts[i].credit
    if !sure, credit == 0, verdicts[i].past.doubt >= Self.lastingDoubt {
      verdicts[i].isPerson = false
    } else if isNearPerson(i, largest: largest, reach: reach) {
      verdicts[i].isPerson = true
    } else {
      let descends = 8 * verdicts[i].inherited >= components[i].area
      verdicts[i].isPerson =
        sure ? !hasPast || descends || isEstablished(i) : descends && credit > 0
      verdicts[i].isStandalonePerson = sure && verdicts[i].isPerson
    }
    let own = sure ? Self.credit : credit - ticks
    verdicts[i].credit = verdicts[i].isPerson ? max(own, 0) : 0
  }

  private func isSure(_ i: Int) -> Bool {
    components[i].peak >= Self.surePeak && components[i].mean >= Self.sureMean
  }

  private func isEstablished(_ i: Int) -> Bool {
    let box = components[i]
    let isAtEdge = box.left == 0 || box.right == grid.width || box.bottom == grid.height
    return verdicts[i].age >= (isAtEdge ? Self.trialAtEdge : Self.trial)
      || verdicts[i].past.presence >= Self.lastingPresence
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
