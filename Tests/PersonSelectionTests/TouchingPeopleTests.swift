import CAllocationCounter
import PixelTypes
import TestSupport
import Testing

@testable import Matting
@testable import PersonSelection
@testable import VirtualBackground

/// Two people, painted as one silhouette, in mattes of 320 x 180.
@Suite struct TouchingPeopleTests {
  private let scene = MatteScene()
  private var picture: TestPicture { scene.picture }

  /// Returns the face of a person whom `MatteScene.Painter` paints.
  private func face(_ x: Double, scale: Double = 1) -> Face {
    Face(x: x, y: 180 - 115 * scale, width: 38 * scale)
  }

  private func select(
    _ faces: [Face], keep: MatteSettings.Keep = .nearest, after ticks: Int = 1,
    _ paint: (MatteScene.Painter) -> Void
  ) -> MatteScene.Result {
    var scene = scene
    (scene.keep, scene.ticks) = (keep, ticks)
    return scene.infer(faces: faces, paint)
  }

  /// Returns the number of visible samples per column.
  private func apply(
    _ faces: [Face], keep: MatteSettings.Keep = .nearest, after ticks: Int = 1,
    _ paint: (MatteScene.Painter) -> Void
  ) -> [Int] {
    let result = select(faces, keep: keep, after: ticks, paint)
    return (0..<320).map { x in (0..<180).count { result.alpha(x, $0) >= 128 } }
  }

  private func touching(_ painter: MatteScene.Painter) {
    painter.person(110)
    painter.person(200, scale: 0.8)
  }

  @Test("hides the person who touches the nearest one")
  func touchingPerson() {
    let painter = MatteScene.Painter()
    touching(painter)
    let both = (0..<320).map { x in
      (0..<180).count { unsafe painter.matte.row($0)[x] >= 128 }
    }
    // The person at 110 is red, up to the end of the outline. The other person is not.
    picture.paint((200, 40, 30)) { x, _ in x < 165 }
    let columns = apply([face(110), face(200, scale: 0.8)], touching)
    #expect(columns[170...].reduce(0, +) == 0)
    #expect(columns[..<140] == both[..<140])
  }

  /// The largest person touches another.
  ///
  /// A third person is apart, and larger than the second.
  @Test(
    "selects the same nearest person for any order of the faces",
    arguments: [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
  func orderOfFaces(order: [Int]) {
    let faces = [face(90, scale: 1.2), face(124), face(250, scale: 0.95)]
    let result = select(order.map { faces[$0] }) { painter in
      painter.person(90, scale: 1.2)
      painter.person(124)
      painter.person(250, scale: 0.95)
    }
    #expect(result.alpha(70, 30) == 255 && result.isEmpty(190..<320))
  }

  @Test("hides a face behind the shoulder of the nearest person", arguments: [10.0, 14, 18, 24])
  func faceBehindShoulder(width: Double) {
    let faces = [Face(x: 130, y: 60, width: 53), Face(x: 172, y: 75, width: width)]
    let result = select(faces) { painter in
      painter.person(130, scale: 1.05)
      painter.ellipse(172, 75, width * 0.6, width * 0.8)
    }
    for y in 72..<78 { for x in 169..<175 { #expect(result.alpha(x, y) == 0) } }
    #expect(result.alpha(130, 60) == 255)
  }

  @Test("keeps the nearest person while another leans in briefly")
  func briefLeaning() {
    let faces = [face(110), face(200, scale: 0.8)]
    _ = apply(faces, touching)
    // The other person leans in.
    let leaningIn = [face(110), face(210, scale: 1.5)]
    for _ in 0..<10 {
      let columns = apply(leaningIn) { painter in
        painter.person(110)
        painter.person(210, scale: 1.5)
      }
      #expect(columns[110] > 0 && columns[230] == 0)
    }
    var columns: [Int] = []
    for _ in 0..<10 {
      columns = apply(leaningIn) { painter in
        painter.person(110)
        painter.person(210, scale: 1.5)
      }
    }
    #expect(columns[110] == 0 && columns[230] > 0)
  }

  @Test("keeps showing the tracked person")
  func trackedPerson() {
    _ = apply([face(200, scale: 0.8)], keep: .tracked) { $0.person(200, scale: 0.8) }
    for _ in 0..<60 {
      let columns = apply([face(110), face(200, scale: 0.8)], keep: .tracked, touching)
      #expect(columns[100] == 0 && columns[205] > 0)
    }
  }

  @Test("recognises the tracked person in a new scene where another touches them")
  func touchingInNewScene() {
    picture.paint((30, 50, 180))
    picture.paint((190, 40, 30)) { x, _ in x > 160 }
    for _ in 0..<10 {
      _ = apply([face(200, scale: 0.8)], keep: .tracked) { $0.person(200, scale: 0.8) }
    }
    scene.selector.reset()
    for i in 0..<40 {
      let columns = apply([face(110), face(200, scale: 0.8)], keep: .tracked, touching)
      #expect(columns[100] == 0 && columns[205] > 0, "\(i)")
    }
  }

  /// Paints two people who touch, and a third apart from them, and returns their faces.
  private func three(_ painter: MatteScene.Painter, third scale: Double) {
    painter.person(70)
    painter.person(150, scale: 0.8)
    if scale > 0 { painter.person(265, scale: scale) }
  }

  private func facesOfThree(third scale: Double) -> [Face] {
    [face(70), face(150, scale: 0.8)] + (scale > 0 ? [face(265, scale: scale)] : [])
  }

  @Test(
    "keeps one of two people who touch while a third stands apart and leaves",
    arguments: [MatteSettings.Keep.nearest, .tracked])
  func thirdLeaves(keep: MatteSettings.Keep) {
    for i in 0..<90 {
      let third = i < 60 ? 0.6 : 0
      let columns = apply(facesOfThree(third: third), keep: keep) { three($0, third: third) }
      #expect(columns[70] > 0 && columns[170] == 0 && columns[265] == 0, "\(i)")
    }
  }

  @Test("shows a third person apart who comes nearer with nearest, and never with tracked")
  func thirdComesNearer() {
    for keep in [MatteSettings.Keep.nearest, .tracked] {
      let test = TouchingPeopleTests()
      var columns: [Int] = []
      for i in 0..<120 {
        let third = 0.6 + 0.01 * Double(min(i, 65))
        columns = test.apply(facesOfThree(third: third), keep: keep) { painter in
          three(painter, third: 0)
          painter.person(265, scale: third)
        }
        // One of the two who touch stays until the third is clearly nearer.
        if i < 40 { #expect(columns[70] > 0 && columns[265] == 0, "\(i)") }
        #expect(columns[170] == 0 || columns[265] > 0)
      }
      #expect((columns[265] > 0) == (keep == .nearest))
      #expect((columns[70] > 0) == (keep == .tracked))
    }
  }

  @Test("keeps a person who was never alone while they look away")
  func looksAway() {
    let both = [face(110), face(200, scale: 0.8)]
    for i in 0..<100 {
      // More than the two seconds for which a face is remembered.
      let columns = apply(5..<80 ~= i ? [both[1]] : both, keep: .tracked, touching)
      #expect(columns[110] > 0, "\(i)")
      if !(5..<80 ~= i) { #expect(columns[225] == 0, "\(i)") }
    }
  }

  @Test("keeps a hidden person hidden after they turn away")
  func turnedAway() {
    _ = apply([face(110), face(200, scale: 0.8)], touching)
    for _ in 0..<30 {
      let columns = apply([face(110)], touching)
      #expect(columns[110] > 0 && columns[205] == 0)
    }
  }

  @Test("removes nothing for a person who has left")
  func absentPerson() {
    _ = apply([face(110), face(200, scale: 0.8)], touching)
    let alone = apply([face(110)]) { $0.person(110) }
    let expected = apply([]) { $0.person(110) }
    #expect(alone == expected)
  }

  @Test("ignores a face on a poster")
  func posterFace() {
    let expected = apply([]) { $0.person(110) }
    let poster = Face(x: 160, y: 40, width: 30)
    #expect(apply([face(110), poster]) { $0.person(110) } == expected)
  }

  @Test(arguments: [Double.infinity, -1e9, 0, 1e30, 1e300])
  func facesBeyondTheFrameAreIgnored(x: Double) {
    let expected = apply([]) { $0.person(110) }
    let odd = Face(x: x, y: -x, width: x)
    #expect(apply([face(110), odd]) { $0.person(110) } == expected)
  }

  @Test(
    .enabled(if: allocation_counter_works()), arguments: [MatteSettings.Keep.nearest, .tracked])
  func nothingIsAllocatedForAFrame(keep: MatteSettings.Keep) {
    var scene = scene
    scene.keep = keep
    let painter = MatteScene.Painter()
    let faces = [face(110), face(200, scale: 0.8)]
    for i in 0..<5 {
      // With `tracked`, the next mattes are compared with the tracked person.
      if i == 3 { scene.selector.reset() }
      touching(painter)
      scene.apply(to: painter.matte, faces: faces)
    }
    touching(painter)
    let before = allocation_counter_count()
    scene.apply(to: painter.matte, faces: faces)
    let allocations = allocation_counter_count() - before
    #expect(allocations == 0)
  }

  /// Returns the same faces for each frame.
  private final class FakeFaces: FaceFinder {
    var faces: [Face] = []
    var failure: SegmentationError?
    private(set) var searches = 0
    /// Whether the matte shows a person at the faces.
    private(set) var areShown: [Bool] = []

    func find(
      in frame: Frame, format: FrameFormat, at time: UInt64, isShown: (Double, Double) -> Bool
    ) throws(SegmentationError) -> [Face] {
      searches += 1
      if let failure { throw failure }
      areShown = faces.map { isShown(Double($0.box.center.x), Double($0.box.center.y)) }
      return faces
    }

    private(set) var timesForgotten = 0

    func reset() { timesForgotten += 1 }
  }

  @Test("searches for faces only if keep selects a person")
  func searchesForFaces() {
    let engine = VirtualBackgroundEngine(MatteScene.format, FakeSegmenter(width: 160, height: 90))
    let faces = FakeFaces()
    faces.faces = [Face(x: 100, y: 80, width: 30), Face(x: 190, y: 80, width: 30)]
    engine.use(faces)
    var settings = EffectSettings.everyFrame
    settings.effect = .matte
    func process() -> (FrameOutcome, TestPicture) {
      let picture = TestPicture(format: MatteScene.format, (20, 60, 220))
      // Wider before x = 145, which is half-way.
      picture.paint((200, 30, 40)) { x, y in 40..<220 ~= x && y > 60 }
      return (engine.process(picture.frame, settings: settings), picture)
    }
    let (_, everyone) = process()
    #expect(faces.searches == 0)
    #expect(everyone.luma(100, 120) > 200 && everyone.luma(190, 120) > 200)
    settings.matte.keep = .nearest
    let (_, nearest) = process()
    #expect(faces.searches == 1)
    #expect(nearest.luma(100, 120) > 200 && nearest.luma(190, 120) < 40)
    #expect(faces.areShown == [true, true])
    faces.faces = [
      Face(x: 100, y: 50, width: 30), Face(x: -1e9, y: 80, width: 30),
      Face(x: .nan, y: 80, width: 30), Face(x: 319, y: 179, width: 30),
    ]
    _ = process()
    #expect(faces.areShown == [false, false, false, false])
    // With everyone, the people may change, so the finder is reset.
    let timesForgotten = faces.timesForgotten
    settings.matte.keep = .everyone
    for _ in 0..<3 { _ = process() }
    #expect(faces.timesForgotten == timesForgotten + 1)
    settings.matte.keep = .nearest
    let failure = SegmentationError(.inferenceFailed, "the test wants it so")
    faces.failure = failure
    settings.effect = .color
    #expect(process().0 == .hidden(failure))
  }
}
