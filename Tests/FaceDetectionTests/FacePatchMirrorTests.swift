import InferenceTypes
import Testing

@testable import FaceDetection

struct FacePatchMirrorTests {
  /// A tensor whose samples tell their column and row; mirrored, and what each row's columns are then.
  private func columns(before first: Int, from end: Int) -> [Int] {
    let side = FacePatch.inputSize
    let network = FakePatchNetwork()
    let tensor = unsafe network.inputTensor
    for i in 0..<3 * side * side { unsafe tensor[i] = Float(i % side + 100 * (i / side)) }
    unsafe FacePatch.mirror(tensor, before: first, from: end)
    let rows = (0..<3 * side).map { row in
      (0..<side).map { x in unsafe Int(tensor[row * side + x]) - 100 * row }
    }
    #expect(rows.allSatisfy { $0 == rows[0] })
    return rows[0]
  }

  @Test func whatLiesBeyondAnEdgeIsTheMirrorImageOfWhatLiesBeforeIt() {
    #expect(columns(before: 3, from: 48) == [5, 4, 3] + Array(3..<48))
    #expect(columns(before: -7, from: 46) == Array(0..<46) + [45, 44])
  }

  @Test func aPatchWithinTheFrameStaysAsItIs() {
    #expect(columns(before: 0, from: 48) == Array(0..<48))
    #expect(columns(before: -200, from: 90) == Array(0..<48))
  }

  /// Frames narrower than a patch, and odd numbers.
  @Test(arguments: [(20, 28), (24, 25), (47, 48), (30, 20), (60, 70), (-5, -1)])
  func nothingBeyondTheTensorIsTouched(first: Int, end: Int) {
    let result = columns(before: first, from: end)
    #expect(result.allSatisfy { 0..<48 ~= $0 })
    if 0..<48 ~= first, first < end {
      #expect(result.allSatisfy { first..<end ~= $0 })
    }
  }
}
