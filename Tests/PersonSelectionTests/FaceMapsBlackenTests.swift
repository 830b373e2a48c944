import InferenceTypes
import Testing

struct FaceMapsBlackenTests {
  /// The columns that are not black then.
  private func columns(before first: Int, from end: Int) -> [Int] {
    let (width, height) = FaceMaps.input
    let network = FakeFaceMapNetwork()
    let tensor = unsafe network.inputTensor
    for i in 0..<3 * width * height { unsafe tensor[i] = Float(i + 1) }
    unsafe FaceMaps.blacken(tensor, before: first, from: end)
    let rows = (0..<3 * height).map { row in
      (0..<width).filter { x in unsafe tensor[row * width + x] == Float(row * width + x + 1) }
    }
    #expect(rows.allSatisfy { $0 == rows[0] })
    for i in 0..<3 * width * height where !rows[0].contains(i % width) {
      #expect(unsafe tensor[i] == 0)
    }
    return rows[0]
  }

  @Test(arguments: [
    (3, 158, 3..<158), (0, 160, 0..<160), (-200, 900, 0..<160), (-7, 100, 0..<100),
    (159, 160, 159..<160), (160, 200, 160..<160), (-9, 0, 0..<0), (300, -300, 0..<0),
  ])
  func whatLiesBeyondTheFrameIsBlack(first: Int, end: Int, left: Range<Int>) {
    #expect(columns(before: first, from: end) == Array(left))
  }
}
