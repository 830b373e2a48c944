import CGStreamer
import CGStreamerCheck
import OpenVINOInference
import TestSupport
import Testing

@testable import GstVBGFilter

/// The installed networks on clips in which a stale matte would show the room.
@Suite(.serialized, .enabled(if: Sample.isReady, "sample pictures or networks are not set up"))
struct PrivacySituationTests {
  private static let frame: UInt64 = 33_333_333
  /// Maximum share of a frame that may show the room, twice the measured maximum.
  private static let maxShare = 0.01
  /// The frames after which the mattes of a live clip arrive.
  private static let arrival = 3

  /// The timestamps of the frames.
  enum Timing: CaseIterable {
    case real, constant, nanosecondApart
  }

  private func makeFilter(
    _ renderer: ShotRenderer, _ properties: [String: String], isLive: Bool
  ) throws -> TestFilter {
    let filter = try TestFilter(
      width: renderer.format.width, height: renderer.format.height, colorimetry: "bt709",
      ["model": "", "effect": "matte", "smoothing": "0.5"].with(properties))
    filter.object.modelLoader = OpenVINOModelLoader()
    filter.object.modelsFolder = nil
    filter.object.matteArrival = .afterFrames(Self.arrival)
    filter.start()
    unsafe gst_harness_set_live(filter.harness, isLive ? 1 : 0)
    return filter
  }

  /// Shares the renderer between tests, which run one after the other.
  private struct Shared: @unchecked Sendable {
    let renderer: ShotRenderer
  }

  private static let renderer = Result { Shared(renderer: try ShotRenderer()) }

  /// A situation, rendered once for several runs.
  private struct Clip {
    let renderer: ShotRenderer
    let shots: [PrivacySituation.Shot]
    let pictures: [TestPicture]

    init(_ situation: PrivacySituation) throws {
      let renderer = try PrivacySituationTests.renderer.get().renderer
      self.renderer = renderer
      shots = (0..<PrivacySituation.frames).map(situation.shot)
      pictures = shots.map(renderer.picture)
    }
  }

  /// Returns the share of each frame that shows the room.
  private func shares(
    of clip: Clip, _ properties: [String: String], timing: Timing = .real, isLive: Bool = false
  ) throws -> [Double] {
    let filter = try makeFilter(clip.renderer, properties, isLive: isLive)
    let shares = try zip(clip.shots, clip.pictures).enumerated().map { number, frame in
      let (shot, picture) = frame
      let time: UInt64 =
        switch timing {
        case .real: UInt64(number) * Self.frame
        case .constant: 0
        case .nanosecondApart: UInt64(number)
        }
      let matte = unsafe try filter.process(filter.makeBuffer(picture, time: time))
      return clip.renderer.shareOfRoomShown(by: matte, of: shot)
    }
    // Shares must not be small only because frames are hidden.
    #expect(try filter.statistic("failures") == 0)
    return shares
  }

  /// Each inference rate, with and without skipped inferences, and with a recurrent network.
  private static let runs = [
    ["quality": "fast", "target-fps": "0.3", "inference": "when-needed"],
    ["quality": "fast", "target-fps": "1", "inference": "every-frame"],
    ["quality": "fast", "target-fps": "5", "inference": "when-needed"],
    ["quality": "fast", "target-fps": "0", "inference": "when-needed"],
    ["quality": "balanced", "target-fps": "0.3"], ["quality": "balanced", "target-fps": "0"],
  ]

  @Test("hides the room at every pace", arguments: PrivacySituation.allCases)
  func hidesRoom(_ situation: PrivacySituation) throws {
    let clip = try Clip(situation)
    for run in Self.runs {
      let shares = try shares(of: clip, run)
      #expect(shares.allSatisfy { $0 <= Self.maxShare }, "\(run): \(shares)")
    }
  }

  @Test("hides the room in live streams", arguments: PrivacySituation.allCases)
  func hidesRoomOfLiveStreams(_ situation: PrivacySituation) throws {
    let clip = try Clip(situation)
    for run in Self.runs where run["inference"] != "every-frame" {
      let shares = try shares(of: clip, run, isLive: true)
      #expect(shares.allSatisfy { $0 <= Self.maxShare }, "\(run): \(shares)")
    }
  }

  @Test(
    "hides the room when timestamps stand still", arguments: [Timing.constant, .nanosecondApart])
  func hidesRoomWithoutTimes(_ timing: Timing) throws {
    for situation in [PrivacySituation.vanish, .walkOut] {
      let shares = try shares(
        of: try Clip(situation), ["quality": "fast", "target-fps": "5"], timing: timing)
      #expect(shares.allSatisfy { $0 <= Self.maxShare }, "\(situation): \(shares)")
    }
  }

  @Test("hides the room when the budget is used up")
  func hidesRoomWithoutBudget() throws {
    let shares = try shares(
      of: try Clip(.vanish), ["quality": "fast", "adaptive": "true", "cpu-budget": "0.001"])
    #expect(shares.allSatisfy { $0 <= Self.maxShare }, "\(shares)")
  }
}
