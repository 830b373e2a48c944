import Glibc
import Matting
import TestSupport
import Threads

@testable import GstVBGFilter

/// Loads fake networks, which find everything red.
///
/// A test can make the network of any file fail.
final class FakeModels: SegmentationModelLoader {
  /// The steps of a network's life, in order.
  enum Step: CaseIterable, Sendable {
    case load
    case prepare
    case compile
    case infer
  }

  /// The behaviour of the network in one file.
  struct Behaviour: Sendable {
    var loadFailure: SegmentationError?
    var compileFailure: SegmentationError?
    var inferenceFailure: SegmentationError?
    /// The classes of the network.
    ///
    /// A request for any other class fails to load.
    var classes: [String] = []
    /// Extra work of each inference.
    var work: (@Sendable () -> Void)?
    /// CPU time of other threads per inference, in nanoseconds.
    var helperTime: UInt64 = 0
    /// The steps that block while they are in this set.
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
    /// The threads that freed a network.
    var freeingThreads: [pthread_t] = []
  }

  private let record = Monitor(Record())

  /// The requests, in the order in which they arrived.
  var loaded: [ModelRequest] { record.current.loaded }
  /// The networks that were compiled, with their frame sizes, in the form `path 640x480`.
  var compiled: [String] { record.current.compiled }
  /// Waits until `count` networks were prepared and returns them in the form `path 640x480`.
  func prepared(_ count: Int) -> [String] {
    record.wait { $0.prepared.count >= count ? $0.prepared : nil }
  }
  /// The number of inferences of all networks.
  var inferences: Int { record.current.inferences }
  /// Waits until `count` inferences have begun.
  func waitForInference(_ count: Int) {
    record.wait { $0.begunInferences >= count ? () : nil }
  }

  /// Waits until the element begins to compile the network in `path`.
  func waitForCompilation(of path: String) {
    record.wait { record in record.compiled.contains { $0.hasPrefix(path) } ? () : nil }
  }

  /// The number of times that a network was asked to reset its state.
  var timesForgotten: Int { record.current.timesForgotten }

  /// Waits until a network was freed, and returns the thread that did it.
  func waitForFreeingThread() -> pthread_t { record.wait { $0.freeingThreads.first } }

  /// The number of networks that exist.
  var liveNetworks: Int { record.current.liveNetworks }

  /// Changes the behaviour of the network in a file.
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

  /// Waits until `step` is no longer stuck, then returns the behaviour of the file.
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

  /// A `FakeSegmenter` that follows the owner's current record.
  private final class RedSegmenter: Segmenter {
    private let path: String
    private let owner: FakeModels
    private let fake = FakeSegmenter(width: 64, height: 64)
    private var helperTime: UInt64 = 0

    init(path: String, owner: FakeModels) {
      self.path = path
      self.owner = owner
      owner.record.change { $0.liveNetworks += 1 }
    }

    deinit {
      owner.record.change { record in
        record.liveNetworks -= 1
        record.freeingThreads.append(pthread_self())
      }
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
