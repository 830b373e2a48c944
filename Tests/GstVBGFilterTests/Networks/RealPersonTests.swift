import CGStreamer
import CGStreamerCheck
import Matting
import OpenVINOInference
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// The installed networks in the whole element, on a picture of a person.
@Suite(.serialized, .enabled(if: Sample.isReady, "sample pictures or networks are not set up"))
struct RealPersonTests {
  static let cases = Quality.allCases.flatMap { quality in
    Framing.allCases.map { (quality, $0) }
  }

  /// The number of frames until the recurrent network and the smoothing settle.
  private static let settling = 8

  private func makeFilter(
    _ picture: TestPicture, _ quality: Quality, _ properties: [String: String] = [:]
  ) throws -> TestFilter {
    let filter = try TestFilter(
      width: picture.format.width, height: picture.format.height, colorimetry: "bt709",
      ["effect": "matte", "model": "", "smoothing": "0.5", "quality": quality.rawValue]
        .with(properties))
    filter.object.modelLoader = OpenVINOModelLoader()
    filter.object.modelsFolder = nil
    // In a live stream, the mattes would depend on the speed of the machine.
    filter.start()
    unsafe gst_harness_set_live(filter.harness, 0)
    return filter
  }

  /// Returns the output for a number of equal pictures.
  private func outputs(
    _ filter: TestFilter, of picture: TestPicture, frames: Int = settling
  ) throws -> [TestPicture] {
    let outputs = try (0..<frames).map { _ in
      unsafe try filter.process(filter.makeBuffer(picture))
    }
    #expect(filter.messages().isEmpty)
    return outputs
  }

  /// Pictures that no longer change.
  private struct Finished: @unchecked Sendable {
    let pictures: [TestPicture]
  }

  /// The mattes of each case, which several tests use.
  private static let mattes = Monitor<[String: Finished]>([:])

  /// Returns the mattes of a still person.
  private func mattes(_ quality: Quality, _ framing: Framing) throws -> [TestPicture] {
    let name = "\(quality) \(framing)"
    if let known = Self.mattes.current[name] { return known.pictures }
    let picture = try Sample.person.picture(framing)
    let filter = try makeFilter(picture, quality)
    let made = Finished(pictures: try outputs(filter, of: picture))
    #expect(try filter.statisticString("quality") == quality.rawValue)
    Self.mattes.withLock { $0[name] = made }
    return made.pictures
  }

  @Test(arguments: cases)
  func thePersonIsFound(_ quality: Quality, _ framing: Framing) throws {
    let silhouette = try framing.silhouette()
    let matte = Alpha(try #require(try mattes(quality, framing).last))
    let bounds = Bounds(quality)
    #expect(silhouette.overlap(with: matte) > bounds.overlap)
    #expect(silhouette.mean(of: matte, in: .person, distance: 24) > bounds.inPerson)
    #expect(silhouette.mean(of: matte, in: .room, distance: 24) < bounds.inRoom)
    let (found, stored) = (
      Silhouette(matte).box(without: silhouette), silhouette.box(without: silhouette)
    )
    if let tolerance = bounds.boxTolerance {
      #expect(zip(found, stored).allSatisfy { abs($0 - $1) <= tolerance })
    }
  }

  @Test(arguments: cases)
  func theMatteOfAStillPictureSettles(_ quality: Quality, _ framing: Framing) throws {
    let silhouette = try framing.silhouette()
    let mattes = try mattes(quality, framing).prefix(5).map { Alpha($0) }
    let changes = zip(mattes, mattes.dropFirst()).map { silhouette.change(from: $0, to: $1) }
    // The recurrent network improves with each frame, and the small one has no state. The first
    // frame has several inferences, so the output is almost settled.
    if quality == .fast {
      #expect(changes == [0, 0, 0, 0])
    } else {
      #expect(changes.allSatisfy { $0 < 0.02 }, "\(changes)")
    }
  }

  @Test(arguments: Quality.allCases)
  func aPictureWithoutAPersonIsAllRoom(_ quality: Quality) throws {
    let picture = try Sample.sky.picture(.landscape)
    let filter = try makeFilter(picture, quality)
    for output in try outputs(filter, of: picture) {
      #expect(Alpha(output).coverage < Bounds(quality).ofNobody)
    }
  }

  /// The model is named without its folder.
  ///
  /// In the landscape framing, the network mistakes part of the suit for the room.
  @Test(
    "finds the person with a salient-object network, and nothing in the sky",
    .enabled(if: Sample.has("u2netp.onnx"), "U-2-Netp is not set up"), arguments: Framing.allCases)
  func findsPersonBySaliency(_ framing: Framing) throws {
    let properties = ["model": "u2netp.onnx"]
    let picture = try Sample.person.picture(framing)
    let filter = try makeFilter(picture, .fast, properties)
    let matte = Alpha(try #require(try outputs(filter, of: picture, frames: 1).last))
    let overlap = try framing.silhouette().overlap(with: matte)
    #expect(overlap > (framing == .landscape ? 0.75 : 0.9))
    #expect(
      try filter.statisticString("model") == OpenVINOModelLoader.modelsFolder() + "/u2netp.onnx")
    let sky = try Sample.sky.picture(framing)
    let other = try makeFilter(sky, .fast, properties)
    let nothing = Alpha(try #require(try outputs(other, of: sky, frames: 1).last))
    #expect(nothing.coverage < 0.02)
  }

}

/// The accuracy with which a quality must find the sample person.
///
/// Each bound differs by more than 0.01 from the values measured in bfloat16 and float32, as a
/// margin for other processors.
private struct Bounds {
  /// The minimum intersection over union with the silhouette.
  ///
  /// Measured: 0.960, 0.990 and 0.979.
  let overlap: Double
  /// The minimum mean of the matte well inside the person.
  ///
  /// Measured: 0.938, 0.999 and 0.991.
  let inPerson: Double
  /// The maximum mean of the matte well inside the room.
  ///
  /// Measured: 0.010, 0 and 0.
  let inRoom: Double
  /// The tolerance for each side of the box around the person, in pixels.
  ///
  /// Measured: 1. The small network also keeps a piece of the space shuttle, so its box has no
  /// bound.
  let boxTolerance: Int?
  /// The maximum coverage in a picture without a person.
  ///
  /// Measured: 0.020, 0.0007 and 0.
  let ofNobody: Double

  init(_ quality: Quality) {
    switch quality {
    case .fast:
      (overlap, inPerson, inRoom, boxTolerance, ofNobody) = (0.94, 0.9, 0.03, nil, 0.05)
    case .balanced:
      (overlap, inPerson, inRoom, boxTolerance, ofNobody) = (0.97, 0.97, 0.03, 8, 0.02)
    case .accurate:
      (overlap, inPerson, inRoom, boxTolerance, ofNobody) = (0.96, 0.97, 0.03, 8, 0.02)
    }
  }
}
