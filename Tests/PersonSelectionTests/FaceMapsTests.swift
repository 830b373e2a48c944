import Matting
import PixelTypes
import TestSupport
import Testing

@testable import PersonSelection

struct FaceMapsTests {
  private let network = FakeFaceMapNetwork()
  /// A part of the size of the input, at another place.
  private let part = PixelRegion(x: 1000, y: -50, width: 160, height: 96)

  private func decode(threshold: Float = 0.3, of part: PixelRegion? = nil) -> [Face] {
    let part = part ?? self.part
    var decoder = FaceDecoder(count: FaceMaps.cells)
    decoder.decode(network.maps, threshold: threshold)
    decoder.place(scale: part.size / FacePoint(160, 96), at: part.origin)
    return decoder.faces
  }

  @Test("decodes the face of a cell")
  func decodesACell() throws {
    network.put(column: 10, row: 5, width: 0, height: 1, score: 0.5)
    let cell = 5 * FaceMaps.columns + 10
    unsafe network.offsets[cell] = 0.25
    unsafe network.offsets[FaceMaps.cells + cell] = -0.5
    let seen = try #require(decode().first)
    #expect(decode().count == 1 && seen.score == 0.5)
    #expect(seen.box.center == FacePoint(x: 1000 + 40, y: -50 + 23))
    #expect(seen.box.width == 4 && abs(seen.box.height - 4 * 2.71828) < 0.001)
    // In a part that is twice as wide and three times as high.
    let larger = try #require(decode(of: PixelRegion(x: 7, y: 8, width: 320, height: 288)).first)
    #expect(larger.box.center == FacePoint(x: 7 + 80, y: 8 + 69))
    #expect(larger.box.width == 8 && abs(larger.box.height - 12 * 2.71828) < 0.001)
  }

  @Test("decodes the first and the last cell")
  func cornerCells() {
    network.put(column: 0, row: 0, score: 0.5)
    network.put(column: FaceMaps.columns - 1, row: FaceMaps.rows - 1, score: 0.6)
    #expect(decode().map(\.box.center) == [FacePoint(x: 1158, y: 44), FacePoint(x: 1002, y: -48)])
  }

  @Test("keeps the box with the highest score of each face")
  func highestScore() {
    network.put(column: 10, row: 5, score: 0.5)
    network.put(column: 11, row: 5, score: 0.7)
    network.put(column: 20, row: 5, score: 0.6)
    network.put(column: 30, row: 5, score: 0.29)
    #expect(decode().map(\.score) == [0.7, 0.6])
    #expect(decode(threshold: 0.65).map(\.score) == [0.7])
  }

  @Test(
    "rejects faces with values that are extreme or not finite",
    arguments: [Float.nan, .infinity, -.infinity, 1e30, -1e30, 4.1])
  func extremeValues(value: Float) {
    let cell = 5 * FaceMaps.columns + 10
    for map in 0..<4 {
      network.put(column: 10, row: 5, score: 0.5)
      unsafe (map < 2 ? network.extents : network.offsets)[map % 2 * FaceMaps.cells + cell] = value
      #expect(decode().isEmpty)
    }
    network.put(column: 10, row: 5, score: value)
    for seen in decode() { #expect(0...1 ~= seen.score && seen.box.center.x.isFinite) }
  }
}
