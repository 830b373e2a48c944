import InferenceTypes
import PixelTypes
import Testing

@testable import Matting

@Suite struct CropPlannerTests {
  private let frame = PixelRegion(x: 0, y: 0, width: 1280, height: 720)
  private let person = PixelRegion(x: 560, y: 300, width: 160, height: 300)
  private var planner: CropPlanner

  init() { planner = Self.makePlanner(Self.recurrent) }

  /// A network with a memory, at two sizes, for full frames and crops, and one that finds people.
  private static let recurrent = {
    var networks = CropPlanner.Networks()
    networks.hasCrop = true
    networks.cropIsWholeFrame = true
    networks.remembersPast = true
    networks.hasCoarseCrop = true
    networks.canSearchTiles = true
    return networks
  }()

  /// A network for full frames that finds people too, and one for crops.
  ///
  /// Each checks the other.
  private static let pair = {
    var networks = CropPlanner.Networks()
    networks.hasCrop = true
    networks.peopleFinderIsWholeFrame = true
    networks.canCheck = true
    return networks
  }()

  private static func makePlanner(_ networks: CropPlanner.Networks) -> CropPlanner {
    var planner = CropPlanner(
      format: FrameFormat(
        width: 1280, height: 720, colorimetry: Colorimetry(matrix: .bt709, range: .limited)),
      networks: networks, aspect: 16 / 9, margins: CropMargins(margin: 0.1, maxShare: 0.9))
    planner.reset(warmsUp: true)
    return planner
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
        case .firstMatte:
          planner.recordFirstMatte(people)
          planner.planAfterFirstMatte()
        case .matteOfCrop: planner.recordMatteOfCrop(isCutOff: cutOff.contains(.matteOfCrop))
        case .recovery: _ = planner.recordRecovery(share: 0, isCutOff: false)
        case .searchTile: planner.recordTile(people, apart: apart)
        case .confirmTile: _ = planner.recordConfirmation(people)
        case .warmUp, .matte, .furtherPerson: break
        }
      }
    }
    run(&planner)
    if planner.isSearchDue, people == nil {
      planner.planSearch()
      run(&planner)
    }
    planner.end()
    planner.recordPeople(people, apart: apart)
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

  @Test("widens the crop for a person at its edge if the full frame shows them too")
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

  @Test("uses the full-frame pass as the matte of people who fill the frame, and has it checked")
  mutating func usesTheFullFramePass() {
    planner = Self.makePlanner(Self.pair)
    planner.begin(after: 1, isDark: false)
    #expect(planner.next()?.purpose == .findPeople)
    planner.recordFullFrame(frame, apart: [frame])
    let pass = planner.next()
    #expect(pass?.purpose == .matte && pass?.network == .wholeFrame && pass?.isDone == true)
    #expect(pass?.checker == .crop)
    #expect(planner.next()?.purpose == nil)
  }

  @Test("checks the matte of a crop only in the dark", arguments: [false, true])
  mutating func checksInTheDark(isDark: Bool) {
    planner = Self.makePlanner(Self.pair)
    _ = plan(people: person)
    planner.begin(after: PassSchedule.probeInterval, isDark: isDark)
    if planner.next()?.purpose == .findPeople { planner.recordFullFrame(person, apart: [person]) }
    let pass = planner.next()
    #expect(pass?.purpose == .matteOfCrop && (pass?.checker == .wholeFrame) == isDark)
  }

  @Test("forgets the crop and starts again after a reset in the middle of a plan")
  mutating func resets() {
    let first = plan(people: person)
    planner.begin(after: 1, isDark: false)
    planner.reset(warmsUp: true)
    #expect(planner.region == frame)
    #expect(plan(people: person) == first)
  }
}
