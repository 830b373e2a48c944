import PixelTypes
import TestSupport
import Testing

@testable import Matting

/// The passes of a frame: which network runs, how often and when.
@Suite struct FrameSegmentationTests {
  private let format = FrameFormat(
    width: 1280, height: 720, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
  private let person = PixelRegion(x: 560, y: 300, width: 160, height: 300)
  private let runs = Runs()

  /// The roles of the networks, in the order in which they ran.
  private final class Runs {
    enum Role { case whole, crop, coarse, witness }

    var all: [Role] = []
  }

  /// A network that takes red for people.
  private final class Network: Segmenter {
    let remembersPast: Bool
    private let (role, runs): (Runs.Role, Runs)
    private let fake: FakeSegmenter

    init(_ role: Runs.Role, in runs: Runs, remembersPast: Bool = false) {
      (self.role, self.runs, self.remembersPast) = (role, runs, remembersPast)
      fake = FakeSegmenter(
        format: TensorFormat(width: 64, height: 36, layout: .planar, fit: .stretch))
    }

    var inputFormat: TensorFormat { fake.inputFormat }
    var inputTensor: UnsafeMutablePointer<Float> { unsafe fake.inputTensor }
    func infer() throws(SegmentationError) -> RawMatte {
      runs.all.append(role)
      return try fake.infer()
    }
    func reset() {}
  }

  /// A network with a memory, at two sizes, for full frames and crops, and one that finds people.
  private func recurrent(hasWitness: Bool = false) -> FrameSegmentation {
    let crop = Network(.crop, in: runs, remembersPast: true)
    return segmentation(
      Segmenters(
        wholeFrame: crop,
        crop: Segmenters.Crop(
          segmenter: crop, peopleFinder: Network(.whole, in: runs),
          coarse: Network(.coarse, in: runs, remembersPast: true),
          witness: hasWitness ? Network(.witness, in: runs) : nil,
          margins: CropMargins(margin: 0.1, maxShare: 0.9))))
  }

  private func segmentation(_ segmenters: Segmenters) -> FrameSegmentation {
    FrameSegmentation(
      segmenters, format: format, shift: 2, grid: MatteGrid(format: format, shift: 2),
      bands: .single, runningInferences: RunningInferences())
  }

  /// Returns the roles of the networks that run on a frame with this person.
  private func frame(
    _ segmentation: FrameSegmentation, person: PixelRegion?
  ) throws(SegmentationError) -> [Runs.Role] {
    let picture = TestPicture(format: format, padding: 0)
    picture.paint(red: 20, green: 60, blue: 220)
    if let person {
      picture.paint(red: 200, green: 30, blue: 40) { x, y in
        person.x..<person.endX ~= x && person.y..<person.endY ~= y
      }
    }
    let reduction = ReducedFrame(format: format, shift: 2, bands: .single)
    let grid = MatteGrid(format: format, shift: 2)
    let matte = Raster<UInt8>(width: grid.width, height: grid.height, filledWith: 0)
    var clock = StageClock()
    runs.all = []
    defer { withExtendedLifetime(picture) {} }
    let reduced = reduction.reduce(picture.frame)
    _ = try segmentation.makeMatte(
      of: picture.frame, reduced: reduced, former: reduced.luma, after: 1, into: matte,
      clock: &clock)
    segmentation.recordPeople(in: matte)
    return runs.all
  }

  @Test("sees the full frame and warms up on the first frame, then looks at the crop alone")
  func beginsWithTheFullFrame() throws {
    let segmentation = recurrent()
    let first = try frame(segmentation, person: person)
    #expect(
      first == [.whole] + Array(repeating: .crop, count: 5) + Array(repeating: .coarse, count: 5))
    #expect(try frame(segmentation, person: person) == [.crop])
    let region = segmentation.seenRegion
    #expect(region.union(person) == region && region != PixelRegion(wholeOf: format))
    segmentation.reset()
    #expect(segmentation.seenRegion == PixelRegion(wholeOf: format))
    #expect(try frame(segmentation, person: person) == first)
  }

  @Test("looks for newcomers in the full frame eight times a second")
  func looksForNewcomers() throws {
    let segmentation = recurrent()
    _ = try frame(segmentation, person: person)
    let later = try (0..<30).flatMap { _ in try frame(segmentation, person: person) }
    #expect(7...8 ~= later.count { $0 == .whole })
    #expect(later.count { $0 == .coarse } == 1)
  }

  @Test("searches all tiles of an empty first frame, and later one at a time")
  func searchesTiles() throws {
    let segmentation = recurrent(hasWitness: true)
    #expect(try frame(segmentation, person: nil).count { $0 == .whole } == 1 + 9)
    let later = try (0..<30).map { _ in
      try frame(segmentation, person: nil).count { $0 == .whole }
    }
    #expect(later.allSatisfy { $0 <= 1 } && 7...8 ~= later.reduce(0, +))
  }

  @Test("uses the full-frame pass as the matte of people who fill the frame, and has it checked")
  func usesTheFullFramePass() throws {
    let whole = Network(.whole, in: runs)
    let segmentation = segmentation(
      Segmenters(
        wholeFrame: whole,
        crop: Segmenters.Crop(
          segmenter: Network(.crop, in: runs), peopleFinder: whole,
          margins: CropMargins(margin: 0.1, maxShare: 0.9))))
    #expect(try frame(segmentation, person: PixelRegion(wholeOf: format)) == [.whole, .crop])
  }
}
