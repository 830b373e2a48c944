import Testing

@testable import Compositing

/// The motion of the shown region.
@Suite struct PeopleFollowerTests {
  /// Returns the outline of a person at the lower edge of the frame.
  private func person(_ x: Double, width: Double = 0.2, top: Double = 0.3) -> PeopleOutline {
    PeopleOutline(
      left: x - width / 2, right: x + width / 2, top: top, bottom: 1, visibleBottom: top + 0.3,
      isCut: true)
  }

  /// Returns the regions for one outline per frame.
  private func follow(
    _ frames: Int, rate: Double = 30, maxZoom: Double = 2, _ people: (Double) -> PeopleOutline?
  ) -> [ShownRegion] {
    var follower = PeopleFollower()
    return (0..<frames).map {
      let time = Double($0) / rate
      return follower.follow(people(time), maxZoom: maxZoom, at: UInt64(time * 1e9))
    }
  }

  /// Returns the greatest acceleration of an edge, in widths of the frame per squared second.
  private func acceleration(_ regions: [ShownRegion], rate: Double = 30) -> Double {
    func edges(_ region: ShownRegion) -> [Double] {
      [region.x, region.y, region.x + region.size, region.y + region.size]
    }
    var greatest = 0.0
    for i in 2..<regions.count {
      let (a, b, c) = (edges(regions[i - 2]), edges(regions[i - 1]), edges(regions[i]))
      for edge in 0..<4 {
        greatest = max(greatest, abs(a[edge] - 2 * b[edge] + c[edge]) * rate * rate)
      }
    }
    return greatest
  }

  private func contains(_ region: ShownRegion, _ x: Double, _ y: Double) -> Bool {
    (region.x...region.x + region.size).contains(x)
      && (region.y...region.y + region.size).contains(y)
  }

  @Test("keeps room above the head and at the sides of a person who stays")
  func still() throws {
    let region = try #require(follow(300) { _ in person(0.5) }.last)
    #expect(region.size == 0.5)
    #expect(abs(region.x - 0.25) < 1e-9)
    #expect(abs((0.3 - region.y) / region.size - 0.12) < 1e-9)
    let limited = try #require(follow(300, maxZoom: 1.25) { _ in person(0.5) }.last)
    #expect(limited.size == 0.8)
  }

  @Test("shows the whole frame without people, and two seconds after they leave")
  func empty() throws {
    #expect(follow(30) { _ in nil }.allSatisfy { $0 == .whole })
    let regions = follow(500) { $0 < 5 ? person(0.5) : nil }
    #expect(regions[149].size < 0.52)
    #expect(regions[149 + 58].size < 0.52)
    #expect(regions.last == .whole)
  }

  @Test("does not move for small movements")
  func smallMovements() {
    var wave = 1.0
    let regions = follow(600) { _ in
      wave = -wave
      return person(0.5 + 0.01 * wave, top: 0.3 + 0.005 * wave)
    }
    #expect(regions[300...].allSatisfy { $0 == regions[300] })
  }

  @Test("ignores a person who sways slowly", arguments: [3.0, 6, 12])
  func swaying(period: Double) {
    let regions = follow(1200) { person(0.5 + 0.02 * triangle($0 / period)) }
    #expect(regions[300...].allSatisfy { $0 == regions[300] })
  }

  @Test("does not swing past the people, also after a single wrong matte")
  func noOvershoot() {
    let two = PeopleOutline(
      left: 0.25, right: 0.85, top: 0.3, bottom: 1, visibleBottom: 0.6, isCut: true)
    let regions = follow(450) { $0 < 5 ? person(0.35) : two }
    #expect(regions.last.map { abs($0.size - 0.8) < 0.02 } == true)
    #expect(regions[150...].allSatisfy { $0.size < 0.82 })
    let outlier = follow(450) { 5..<5.03 ~= $0 ? two : person(0.35) }
    #expect(outlier[150...].allSatisfy { $0.size < 0.8 })
  }

  @Test("frames people who are not cut with room below them")
  func uncut() throws {
    let people = PeopleOutline(
      left: 0.4, right: 0.6, top: 0.2, bottom: 0.8, visibleBottom: 0.8, isCut: false)
    let region = try #require(follow(600) { _ in people }.last)
    #expect(abs(region.size - 0.6 / 0.79) < 0.02)
    // A flickering lower edge moves nothing.
    let regions = follow(900) { time in
      let bottom = Int(time * 30) % 10 == 0 ? 0.96 : 1.0
      return PeopleOutline(
        left: 0.4, right: 0.6, top: 0.5, bottom: bottom, visibleBottom: 0.7, isCut: bottom > 0.97)
    }
    #expect(regions[300...].allSatisfy { $0 == regions[300] })
  }

  @Test("follows a smaller max-zoom at rest")
  func smallerZoom() {
    var follower = PeopleFollower()
    var region = ShownRegion.whole
    for frame in 0..<600 {
      region = follower.follow(
        person(0.5), maxZoom: frame < 300 ? 2 : 1.95, at: UInt64(frame) * 33_333_333)
    }
    #expect(abs(region.size - 1 / 1.95) < 1e-9)
  }

  @Test(
    "keeps a walking face in view, with bounded acceleration", arguments: [0.1, 0.25, 0.4, 0.6])
  func walking(speed: Double) {
    func place(_ time: Double) -> Double { 0.5 + 0.35 * triangle(time * speed / 0.7) }
    let regions = follow(900) { person(place($0)) }
    for (index, region) in regions.enumerated() {
      let x = place(Double(index) / 30)
      #expect(contains(region, x - 0.04, 0.32) && contains(region, x + 0.04, 0.45))
    }
    #expect(regions[200...].allSatisfy { $0.size < 0.85 })
    #expect(acceleration(regions) < 20)
  }

  /// A wave between -1 and 1 with straight flanks.
  private func triangle(_ time: Double) -> Double {
    let share = (time + 0.25) - (time + 0.25).rounded(.down)
    return share < 0.5 ? 4 * share - 1 : 3 - 4 * share
  }

  @Test("keeps the head of a person in view who stands up and sits down")
  func standing() {
    func top(_ time: Double) -> Double {
      let share = min(max(1.1 * (time - 5), 0), 1) - min(max(1.1 * (time - 8), 0), 1)
      return 0.45 - 0.3 * share * share * (3 - 2 * share)
    }
    let regions = follow(400) { person(0.5, top: top($0)) }
    var (outside, longest) = (0, 0)
    for (index, region) in regions.enumerated() {
      outside = contains(region, 0.5, top(Double(index) / 30) + 0.02) ? 0 : outside + 1
      longest = max(longest, outside)
    }
    #expect(longest <= 3)
    #expect(acceleration(regions) < 12)
  }

  @Test("widens within four frames when a person comes in, and narrows slowly")
  func newcomer() {
    let two = PeopleOutline(
      left: 0.25, right: 0.98, top: 0.3, bottom: 1, visibleBottom: 0.6, isCut: true)
    let regions = follow(600) { (5..<10).contains($0) ? two : person(0.35) }
    #expect(regions[149].size < 0.52)
    #expect(regions[153].x + regions[153].size > 0.9)
    #expect(regions[165].x + regions[165].size > 0.97)
    #expect(regions[300 + 30].size > 0.85)
    #expect(regions[300 + 90].size > 0.55)
    #expect(regions[599].size < 0.51)
    #expect(acceleration(regions) < 75)
  }

  @Test("moves alike at every frame rate")
  func frameRates() {
    func region(_ rate: Double) -> ShownRegion {
      follow(Int(4 * rate) + 1, rate: rate) { person(0.3 + 0.1 * $0) }[Int(4 * rate)]
    }
    let reference = region(60)
    for rate in [15.0, 30] {
      #expect(abs(region(rate).x - reference.x) < 0.02)
      #expect(abs(region(rate).size - reference.size) < 0.02)
    }
  }

  @Test("jumps to people of another scene")
  func otherScene() {
    let regions = follow(200) { person($0 < 5 ? 0.2 : 0.8) }
    #expect(regions[149].x < 0.05)
    #expect(regions[151].x > 0.4)
  }

  @Test("shows people after a cut at once, also if they overlap the old ones")
  func overlappingCut() {
    // The person of the old scene is in the upper half, and the new one is cut by the lower edge.
    let old = PeopleOutline(
      left: 0.6, right: 0.9, top: 0.17, bottom: 0.58, visibleBottom: 0.58, isCut: false)
    let both = PeopleOutline(
      left: 0.5, right: 0.9, top: 0.17, bottom: 1, visibleBottom: 0.85, isCut: true)
    let new = PeopleOutline(
      left: 0.5, right: 0.8, top: 0.55, bottom: 1, visibleBottom: 0.85, isCut: true)
    for mixed in 0..<2 {
      // A recurrent network may show both people in the first frame.
      let regions = follow(200) { $0 < 5 ? old : $0 < 5 + Double(mixed) / 30 ? both : new }
      #expect(regions[149].y + regions[149].size < 0.8)
      for region in regions[153...] { #expect(new.visibleShare(in: region) > 0.8) }
    }
  }

  @Test("shows a person who bends down quickly again within three frames")
  func bendingDown() {
    func top(_ time: Double) -> Double { 0.1 + 0.5 * min(max((time - 5) / 0.2, 0), 1) }
    let regions = follow(400) {
      let top = top($0)
      return PeopleOutline(
        left: 0.35, right: 0.65, top: top, bottom: 1, visibleBottom: min(top + 0.25, 1),
        isCut: true)
    }
    #expect(regions[149].y + regions[149].size < 0.75)
    var (outside, longest) = (0, 0)
    for (index, region) in regions.enumerated() {
      outside = contains(region, 0.5, top(Double(index) / 30) + 0.15) ? 0 : outside + 1
      longest = max(longest, outside)
    }
    #expect(longest <= 3)
  }

  @Test("stays in the frame, whatever the matte and the times are")
  func anything() {
    var follower = PeopleFollower()
    var generator = SystemRandomNumberGenerator()
    var time: UInt64 = 0
    for index in 0..<5000 {
      let (a, b) = (Double.random(in: 0...1, using: &generator), Double.random(in: 0...1))
      let (c, d) = (Double.random(in: 0...1, using: &generator), Double.random(in: 0...1))
      let people = PeopleOutline(
        left: min(a, b), right: max(a, b), top: min(c, d), bottom: max(c, d),
        visibleBottom: max(c, d), isCut: index % 2 == 0)
      time =
        index % 100 == 0 ? UInt64.random(in: 0...(.max)) : time &+ UInt64.random(in: 0...1 << 27)
      let region = follower.follow(
        index % 7 == 0 ? nil : people, maxZoom: Double.random(in: 1...2), at: time)
      #expect(region.x >= 0 && region.y >= 0 && region.size > 0.3)
      #expect(region.x + region.size <= 1 + 1e-12 && region.y + region.size <= 1 + 1e-12)
    }
  }
}
