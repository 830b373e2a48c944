import CAllocationCounter
import FaceDetection
import InferenceTypes
import TestSupport
import Testing

@testable import OpenVINOInference

/// The network itself, where set-up has fetched it.
struct ONetTests {
  private static let path = realModel(ONet.file)
  private static let inputs = 3 * FacePatch.inputSize * FacePatch.inputSize

  private func network(threads: Int = 1) throws -> ONet {
    try ONet(path: Self.path ?? "", device: "CPU", threads: threads)
  }

  /// The numbers are those of another conversion of the same weights, run by OpenCV in f32.
  @Test(.enabled(if: path != nil, "the network is not set up"))
  func theConvertedNetworkComputesWhatItsWeightsSay() throws {
    let network = try network()
    for index in 0..<Self.inputs { unsafe network.inputTensor[index] = Float(index % 97) / 48 - 1 }
    let patch = try network.judge()
    #expect(abs(patch.score - 0.047) < 0.01)
    #expect(abs(patch.left - 0.115) < 0.02 && abs(patch.top + 0.190) < 0.02)
    #expect(abs(patch.right - 1.074) < 0.02 && abs(patch.bottom - 0.961) < 0.02)
    #expect(try network.judge() == patch)
  }

  @Test(.enabled(if: path != nil, "the network is not set up"))
  func oneCompiledNetworkIsShared() throws {
    let (first, second) = (try network(), try network())
    #expect(first.network.use === second.network.use && first.network.use.isShared)
    #expect(try network(threads: 2).network.use !== first.network.use)
  }

  @Test(
    .enabled(if: path != nil, "the network is not set up"),
    arguments: [Float.nan, .infinity, -.infinity, 1e37, -1e37])
  func whateverGoesInOnlyNumbersComeOut(value: Float) throws {
    // A file of its own: a network that fails is shared no more.
    let folder = TemporaryFolder()
    let network = try ONet(
      path: folder.write(ONet.file, contents(Self.path ?? "")), device: "CPU", threads: 1)
    for index in 0..<Self.inputs { unsafe network.inputTensor[index] = value }
    do throws(SegmentationError) {
      let patch = try network.judge()
      #expect(patch.score.isFinite && patch.left.isFinite && patch.top.isFinite)
      #expect(patch.right.isFinite && patch.bottom.isFinite)
    } catch {
      #expect(error.kind == .inferenceFailed)
    }
  }

  @Test(.enabled(if: path != nil, "the network is not set up"))
  func itIsNoMattingNetwork() {
    #expect(loadError(Self.path ?? "")?.kind == .modelUnknown)
  }

  @Test func whatCannotBeLoadedIsAnErrorWithWords() {
    func error(_ folder: String) -> SegmentationError? {
      errorOf { () throws(SegmentationError) in try HalfHiddenFaces(modelsFolder: folder) }
    }
    let missing = error("/nowhere")
    #expect(missing?.kind == .modelNotFound)
    let text = missing?.description ?? ""
    #expect(text.hasPrefix("No \(ONet.file) is installed in /nowhere; "), "\(text)")
    let folder = TemporaryFolder()
    _ = folder.write(ONet.file, "something else".utf8)
    #expect(error(folder.path)?.kind == .modelUnreadable)
    if let other = realModel("u2netp.onnx") {
      _ = folder.write(ONet.file, contents(other))
      let wrong = error(folder.path)
      #expect(wrong?.kind == .modelUnknown)
      #expect(wrong?.description.contains("f32 of 1x3x48x48 to 1x4 and 1x2: ") == true)
    }
  }

  /// OpenVINO allocates inside an inference; what is around it does not.
  @Test(.enabled(if: path != nil && allocation_counter_works(), "the network is not set up"))
  func nothingIsAddedToOpenVINOsAllocations() throws {
    // A file that no other test's network shares.
    let folder = TemporaryFolder()
    let network = try ONet(
      path: folder.write(ONet.file, contents(Self.path ?? "")), device: "CPU", threads: 1)
    let whole = leastAllocations { _ = try? network.judge() }
    let bare = leastAllocations { _ = network.network.request.infer(onThisThread: true) }
    #expect(whole == bare)
  }
}
