import TestSupport
import VirtualBackground

@testable import GstVBGFilter

/// Loads fake networks, which find whatever is red; each file name can be made to fail.
final class FakeModels: SegmentationModelLoader {
  /// What becomes of a file.
  struct Behaviour: Sendable {
    var loadFailure: SegmentationError?
    var compileFailure: SegmentationError?
    var inferenceFailure: SegmentationError?
    /// Nothing is answered while this is set.
    var isStuck = false
  }

  private struct Record: Sendable {
    var behaviours: [String: Behaviour] = [:]
    var loaded: [ModelRequest] = []
    var compiled: [String] = []
    var inferences = 0
    var timesForgotten = 0
  }

  private let record = Monitor(Record())

  /// The requests in the order in which they came.
  var loaded: [ModelRequest] { record.current.loaded }
  /// The sizes for which networks were made, as `path 640x480`.
  var compiled: [String] { record.current.compiled }
  /// Inferences of all networks.
  var inferences: Int { record.current.inferences }
  /// How often a network was told to forget the past.
  var timesForgotten: Int { record.current.timesForgotten }

  /// Decides what becomes of a file from now on.
  func change(_ path: String, _ change: (inout Behaviour) -> Void) {
    record.change { change(&$0.behaviours[path, default: Behaviour()]) }
  }

  func load(_ request: ModelRequest) throws(SegmentationError) -> any SegmentationModel {
    record.change { $0.loaded.append(request) }
    if let failure = wait(for: request.path).loadFailure { throw failure }
    return Model(path: request.path, owner: self)
  }

  /// What becomes of a file, once it is not stuck any more.
  private func wait(for path: String) -> Behaviour {
    record.wait { record in
      let behaviour = record.behaviours[path, default: Behaviour()]
      return behaviour.isStuck ? nil : behaviour
    }
  }

  private final class Model: SegmentationModel {
    let path: String
    private let owner: FakeModels

    init(path: String, owner: FakeModels) {
      self.path = path
      self.owner = owner
    }

    func makeSegmenter(
      frameWidth: Int, frameHeight: Int
    ) throws(SegmentationError) -> any Segmenter {
      owner.record.change { $0.compiled.append("\(path) \(frameWidth)x\(frameHeight)") }
      if let failure = owner.wait(for: path).compileFailure { throw failure }
      return RedSegmenter(path: path, owner: owner)
    }
  }

  /// A `FakeSegmenter` that does what the owner's record says at the moment.
  private final class RedSegmenter: Segmenter {
    private let path: String
    private let owner: FakeModels
    private let fake = FakeSegmenter(
      format: TensorFormat(width: 64, height: 64, layout: .planar, fit: .stretch))

    init(path: String, owner: FakeModels) {
      self.path = path
      self.owner = owner
    }

    var inputFormat: TensorFormat { fake.inputFormat }
    var inputTensor: UnsafeMutablePointer<Float> { unsafe fake.inputTensor }

    func infer() throws(SegmentationError) -> RawMatte {
      fake.failure = owner.wait(for: path).inferenceFailure
      let matte = try fake.infer()
      owner.record.change { $0.inferences += 1 }
      return matte
    }

    func forgetPast() {
      owner.record.change { $0.timesForgotten += 1 }
    }
  }
}
