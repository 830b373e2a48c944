import InferenceTypes
import TestSupport
import Threads

@testable import GstVBGFilter

/// Loads fake networks, which find whatever is red; each file name can be made to fail.
final class FakeModels: SegmentationModelLoader {
  /// What is done with a network, one after the other.
  enum Step: CaseIterable, Sendable {
    case load
    case prepare
    case compile
    case infer
  }

  /// What becomes of a file.
  struct Behaviour: Sendable {
    var loadFailure: SegmentationError?
    var compileFailure: SegmentationError?
    var inferenceFailure: SegmentationError?
    /// The classes that it knows; one that is asked for and is not among them fails the loading.
    var classes: [String] = []
    /// What an inference does besides.
    var work: (@Sendable () -> Void)?
    /// Nanoseconds that other threads compute for an inference.
    var helperTime: UInt64 = 0
    /// What does not come to an end while it stands here.
    var stuck: Set<Step> = []
  }

  private struct Record: Sendable {
    var behaviours: [String: Behaviour] = [:]
    var loaded: [ModelRequest] = []
    var prepared: [String] = []
    var compiled: [String] = []
    var begunInferences = 0
    var inferences = 0
    var timesForgotten = 0
    var liveNetworks = 0
  }

  private let record = Monitor(Record())

  /// The requests in the order in which they came.
  var loaded: [ModelRequest] { record.current.loaded }
  /// The sizes for which networks were made, as `path 640x480`.
  var compiled: [String] { record.current.compiled }
  /// The sizes for which networks were prepared, as `path 640x480`, once there are so many.
  func prepared(_ count: Int) -> [String] {
    record.wait { $0.prepared.count >= count ? $0.prepared : nil }
  }
  /// Inferences of all networks.
  var inferences: Int { record.current.inferences }
  /// Waits until so many inferences have begun.
  func waitForInference(_ count: Int) {
    record.wait { $0.begunInferences >= count ? () : nil }
  }

  /// Waits until somebody wants to make a network of a file.
  func waitForCompilation(of path: String) {
    record.wait { record in record.compiled.contains { $0.hasPrefix(path) } ? () : nil }
  }

  /// How often a network was told to forget the past.
  var timesForgotten: Int { record.current.timesForgotten }

  /// Networks that were made and are not gone yet.
  var liveNetworks: Int { record.current.liveNetworks }

  /// Decides what becomes of a file from now on.
  func change(_ path: String, _ change: (inout Behaviour) -> Void) {
    record.change { change(&$0.behaviours[path, default: Behaviour()]) }
  }

  func load(
    _ request: ModelRequest, isCancelled: () -> Bool
  ) throws(SegmentationError) -> any SegmentationModel {
    record.change { $0.loaded.append(request) }
    let behaviour = wait(for: request.path, .load)
    if let failure = behaviour.loadFailure { throw failure }
    let unknown = request.subjects.names.first { !behaviour.classes.contains($0) }
    if !behaviour.classes.isEmpty, let unknown {
      throw SegmentationError(.subjectUnknown, "\(request.path) knows no \(unknown)")
    }
    return Model(path: request.path, subjects: behaviour.classes, owner: self)
  }

  /// What becomes of a file, once it is not stuck any more.
  private func wait(for path: String, _ step: Step) -> Behaviour {
    record.wait { record in
      let behaviour = record.behaviours[path, default: Behaviour()]
      return behaviour.stuck.contains(step) ? nil : behaviour
    }
  }

  private final class Model: SegmentationModel {
    let path: String
    let subjects: [String]
    private let owner: FakeModels

    init(path: String, subjects: [String], owner: FakeModels) {
      self.path = path
      self.subjects = subjects
      self.owner = owner
    }

    func prepare(frameWidth: Int, frameHeight: Int) {
      owner.record.change { $0.prepared.append("\(path) \(frameWidth)x\(frameHeight)") }
      _ = owner.wait(for: path, .prepare)
    }

    func makeSegmenter(
      frameWidth: Int, frameHeight: Int
    ) throws(SegmentationError) -> any Segmenter {
      owner.record.change { $0.compiled.append("\(path) \(frameWidth)x\(frameHeight)") }
      if let failure = owner.wait(for: path, .compile).compileFailure { throw failure }
      return RedSegmenter(path: path, owner: owner)
    }
  }

  /// A `FakeSegmenter` that does what the owner's record says at the moment.
  private final class RedSegmenter: Segmenter {
    private let path: String
    private let owner: FakeModels
    private let fake = FakeSegmenter(
      format: TensorFormat(width: 64, height: 64, layout: .planar, fit: .stretch))
    private var helperTime: UInt64 = 0

    init(path: String, owner: FakeModels) {
      self.path = path
      self.owner = owner
      owner.record.change { $0.liveNetworks += 1 }
    }

    deinit {
      owner.record.change { $0.liveNetworks -= 1 }
    }

    var inputFormat: TensorFormat { fake.inputFormat }
    var inputTensor: UnsafeMutablePointer<Float> { unsafe fake.inputTensor }

    func infer() throws(SegmentationError) -> RawMatte {
      owner.record.change { $0.begunInferences += 1 }
      let behaviour = owner.wait(for: path, .infer)
      fake.failure = behaviour.inferenceFailure
      behaviour.work?()
      helperTime += behaviour.helperTime
      let matte = try fake.infer()
      owner.record.change { $0.inferences += 1 }
      return matte
    }

    func reset() {
      owner.record.change { $0.timesForgotten += 1 }
    }

    func consumeHelperTime() -> UInt64 {
      defer { helperTime = 0 }
      return helperTime
    }
  }
}
