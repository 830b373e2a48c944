import InferenceTypes
import PixelTypes
import Testing

@testable import Matting

@Suite struct CropPlannerTests {
  private let frame = PixelRegion(x: 0, y: 0, width: 1280, height: 720)
  private let person = PixelRegion(x: 560, y: 300, width: 160, height: 300)
  private var planner: CropPlanner

  /// The passes of a network with a memory, at two sizes, and of a network that finds people.
  init() {
    var networks = CropPlanner.Networks()
    networks.hasCrop = true
    networks.remembersPast = true
    networks.hasSmallCrop = true
    networks.canSearchTiles = true
    networks.overviewIsWholeFrame = true
    planner = CropPlanner(
      format: FrameFormat(
        width: 1280, height: 720, colorimetry: Colorimetry(matrix: .bt709, range: .limited)),
      networks: networks, aspect: 16 / 9, framing: Framing(margin: 0.1, maxShare: 0.9))
    planner.reset(warmsUp: true)
  }

  /// Plans a frame, and returns its passes.
  ///
  /// Each pass finds `people`. `cutOff` are the purposes of the passes that find a person at the
  /// edge of the crop.
  private mutating func plan(
    people: PixelRegion?, elsewhere: PixelRegion? = nil, cutOff: Set<Pass.Purpose> = []
  ) -> [Pass.Purpose] {
    var purposes: [Pass.Purpose] = []
    planner.begin(after: 1, isDark: false)
    let apart = people.map { [$0] } ?? []
    func run(_ planner: inout CropPlanner) {
      while let pass = planner.next() {
        purposes.append(pass.purpose)
        switch pass.purpose {
        case .findPeople: planner.recordFullFrame(elsewhere ?? people, apart: apart)
        case .firstMatte: planner.recordFirstMatte(people)
        case .matteOfCrop: planner.recordMatteOfCrop(isCutOff: cutOff.contains(.matteOfCrop))
        case .recovery:
          _ = planner.recoveries.record(share: 0)
          planner.recordRecovery(isCutOff: false)
        case .searchTile: planner.recordTile(people, apart: apart)
        case .confirmTile: _ = planner.recordConfirmation(people, apart: apart)
        case .warmUp, .matte, .furtherPerson: break
        }
      }
    }
    run(&planner)
    if planner.isSearchDue, people == nil {
      planner.planSearch()
      run(&planner)
    }
    planner.recordPeople(people, apart: apart)
    planner.end()
    return purposes
  }

  @Test("sees the full frame and warms up on the first frame, then looks at the crop alone")
  mutating func beginsWithTheFullFrame() {
    let first = plan(people: person)
    #expect(first.first == .findPeople)
    #expect(first.filter { $0 == .warmUp }.count == 4 && first.last == .recovery)
    #expect(planner.region.union(person) == planner.region && planner.region != frame)
    #expect(plan(people: person) == [.matteOfCrop])
  }

  @Test("looks for newcomers in the full frame eight times a second")
  mutating func looksForNewcomers() {
    _ = plan(people: person)
    let later = (0..<30).map { _ in plan(people: person) }
    #expect(7...8 ~= later.filter { $0.contains(.findPeople) }.count)
    #expect(later.filter { $0.contains(.recovery) }.count == 1)
  }

  @Test("widens the crop for a person at its edge whom the full frame shows too")
  mutating func widensTheCrop() {
    _ = plan(people: person)
    let arm = PixelRegion(x: 300, y: 300, width: 420, height: 300)
    let passes = plan(people: person, elsewhere: arm, cutOff: [.matteOfCrop])
    #expect(passes == [.matteOfCrop, .findPeople, .matteOfCrop])
    #expect(!planner.isLimited)
  }

  @Test("limits a matte at the edge of the crop that the full frame denies")
  mutating func limitsTheMatte() {
    _ = plan(people: person)
    #expect(plan(people: person, cutOff: [.matteOfCrop]) == [.matteOfCrop, .findPeople])
    #expect(planner.isLimited)
  }

  @Test("searches all tiles of an empty first frame, and later one at a time")
  mutating func searchesTiles() {
    let first = plan(people: nil)
    #expect(first.filter { $0 == .searchTile }.count == 9)
    let later = (0..<30).map { _ in plan(people: nil) }
    #expect(later.allSatisfy { $0.filter { $0 == .searchTile }.count <= 1 })
    #expect(7...8 ~= later.filter { $0.contains(.searchTile) }.count)
  }
}
