import CAllocationCounter
import InferenceTypes
import PersonSelection
import TestSupport
import Testing

@testable import OpenVINOInference

/// The network itself, where set-up has fetched it.
struct CenterFaceTests {
  private static let path = realModel(CenterFace.file)
  private static let inputs = 3 * FaceMaps.input.width * FaceMaps.input.height

  private func network(threads: Int = 1) throws -> CenterFace {
    try CenterFace(path: Self.path ?? "", device: "CPU", threads: threads)
  }

  /// Paints a face, 40 rows high: skin, eyes, nose and mouth.
  private func paintFace(for network: CenterFace) {
    let (width, height) = FaceMaps.input
    unsafe network.inputTensor.update(repeating: 40, count: Self.inputs)
    func ellipse(_ x: Float, _ y: Float, _ across: Float, _ down: Float, _ color: [Float]) {
      for row in 0..<height {
        for column in 0..<width {
          let (dx, dy) = ((Float(column) - x) / across, (Float(row) - y) / down)
          guard dx * dx + dy * dy <= 1 else { continue }
          for plane in 0..<3 {
            unsafe network.inputTensor[(plane * height + row) * width + column] = color[plane]
          }
        }
      }
    }
    ellipse(80, 48, 15, 20, [200, 150, 120])
    ellipse(74, 44, 2.6, 1.6, [40, 30, 30])
    ellipse(86, 44, 2.6, 1.6, [40, 30, 30])
    ellipse(80, 50.4, 1.6, 3.2, [160, 110, 90])
    ellipse(80, 58, 5, 1.4, [140, 60, 60])
  }

  /// The numbers are those that OpenCV computes of the same file in f32.
  @Test(.enabled(if: path != nil, "the network is not set up"))
  func ofAnotherSizeTheNetworkComputesWhatItShould() throws {
    let network = try network()
    paintFace(for: network)
    func numbers() throws -> [Float] {
      let maps = try network.infer()
      let cell = 12 * FaceMaps.columns + 20
      return unsafe [
        maps.scores[cell], maps.extents[cell], maps.extents[FaceMaps.cells + cell],
        maps.offsets[cell], maps.offsets[FaceMaps.cells + cell],
      ]
    }
    let found = try numbers()
    for (number, expected) in zip(found, [Float(0.790), 2.149, 1.900, -0.082, -0.249]) {
      #expect(abs(number - expected) < 0.05)
    }
    #expect(try numbers() == found)
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
    let network = try CenterFace(
      path: folder.write(CenterFace.file, contents(Self.path ?? "")), device: "CPU", threads: 1)
    for index in 0..<Self.inputs { unsafe network.inputTensor[index] = value }
    do throws(SegmentationError) {
      let maps = try network.infer()
      for cell in 0..<FaceMaps.cells {
        #expect(unsafe maps.scores[cell].isFinite)
        #expect(unsafe maps.extents[cell].isFinite && maps.offsets[cell].isFinite)
      }
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
    #expect(text.hasPrefix("No \(CenterFace.file) is installed in /nowhere; "), "\(text)")
    let folder = TemporaryFolder()
    _ = folder.write(CenterFace.file, "something else".utf8)
    #expect(error(folder.path)?.kind == .modelUnreadable)
    if let other = realModel("u2netp.onnx") {
      _ = folder.write(CenterFace.file, contents(other))
      let wrong = error(folder.path)
      #expect(wrong?.kind == .modelUnknown)
      #expect(
        wrong?.description.contains("is not CenterFace, f32 of 1x3x96x160 to 1x1x24x40 and ")
          == true)
    }
  }

  /// OpenVINO allocates inside an inference; what is around it does not.
  @Test(.enabled(if: path != nil && allocation_counter_works(), "the network is not set up"))
  func nothingIsAddedToOpenVINOsAllocations() throws {
    // A file that no other test's network shares.
    let folder = TemporaryFolder()
    let network = try CenterFace(
      path: folder.write(CenterFace.file, contents(Self.path ?? "")), device: "CPU", threads: 1)
    let whole = leastAllocations { _ = try? network.infer() }
    let bare = leastAllocations { _ = network.network.request.infer(onThisThread: true) }
    #expect(whole == bare)
  }
}
