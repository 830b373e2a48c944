import Testing
import VirtualBackground

@Suite struct MatteStepsTests {
  @Test func namesLeaveStepsOut() {
    #expect(MatteSteps(without: "") == .all)
    #expect(
      MatteSteps(without: "close-up") == [.edgeRefinement, .silhouettes, .matteWarp, .lostParts])
    #expect(
      MatteSteps(without: "silhouettes,edge-refinement") == [.closeUp, .matteWarp, .lostParts])
    #expect(
      MatteSteps(without: "close-up,,nonsense,silhouettes,edge-refinement,matte-warp,lost-parts")
        == [])
  }
}
