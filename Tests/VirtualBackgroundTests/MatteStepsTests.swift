import Testing
import VirtualBackground

@Suite struct MatteStepsTests {
  @Test func namesLeaveStepsOut() {
    #expect(MatteSteps(without: "") == .all)
    #expect(MatteSteps(without: "close-up") == MatteSteps.all.subtracting(.closeUp))
    #expect(
      MatteSteps(without: "silhouettes,edge-refinement")
        == MatteSteps.all.subtracting([.silhouettes, .edgeRefinement]))
    let names =
      "close-up,,nonsense,silhouettes,edge-refinement,matte-warp,lost-parts,agreement"
    #expect(MatteSteps(without: names) == [])
  }
}
