import CAllocationCounter
import Matting
import PersonSelection
import PixelTypes
import TestSupport
import Testing

@testable import OpenVINOInference

/// The two face networks, if set-up has fetched them.
///
/// Other tests check that they find the face of the sample person.
struct FaceNetworksTests {
  private let folder = TemporaryFolder()

  private static let installed = [BlazeFace.file, CenterFace.file].filter { realModel($0) != nil }

  private func network(_ file: String, of path: String, threads: Int = 1) throws -> FixedNetwork {
    file == BlazeFace.file
      ? try BlazeFace(path: path, device: "CPU", threads: threads).network
      : try CenterFace(path: path, device: "CPU", threads: threads).network
  }

  /// Loads a network from its own copy of the file, so that no other test shares it.
  private func ownNetwork(_ file: String) throws -> FixedNetwork {
    try network(file, of: folder.write(file, TestFile.bytes(realModel(file) ?? "")))
  }

  @Test("shares one compiled network for each number of threads", arguments: installed)
  func sharesCompiledNetwork(file: String) throws {
    let path = realModel(file) ?? ""
    let (first, second) = (try network(file, of: path), try network(file, of: path))
    #expect(first.use === second.use && first.use.isShared)
    #expect(try network(file, of: path, threads: 2).use !== first.use)
  }

  @Test(
    "returns only finite numbers for any input, or fails",
    arguments: installed, [Float.nan, .infinity, -.infinity, 1e37, -1e37])
  func returnsFiniteNumbers(file: String, value: Float) throws {
    let network = try ownNetwork(file)
    network.input.fill(value)
    do throws(SegmentationError) {
      try network.infer()
      for output in network.outputs {
        #expect((0..<output.count).allSatisfy { unsafe output.data[$0].isFinite })
      }
    } catch {
      #expect(error.kind == .inferenceFailed)
    }
  }

  @Test(arguments: installed)
  func aFaceNetworkIsNotAMattingNetwork(file: String) {
    #expect(loadError(realModel(file) ?? "")?.kind == .modelUnknown)
  }

  @Test(
    "explains why a network cannot be loaded",
    arguments: [
      (BlazeFace.file, "selfie_segmentation.tflite", "1x896x16"),
      (CenterFace.file, "u2netp.onnx", "is not CenterFace, f32 of 1x3x96x160 to 1x1x24x40 and "),
    ])
  func explainsLoadFailure(file: String, other: String, words: String) {
    func error(_ folder: String, device: String = "CPU") -> SegmentationError? {
      errorOf { () throws(SegmentationError) in
        if file == BlazeFace.file {
          _ = try FaceDetector(modelsFolder: folder, device: device)
        } else {
          _ = try HalfHiddenFaces(modelsFolder: folder)
        }
      }
    }
    expect(
      error("/nowhere"), .modelNotFound, "No \(file) is installed in /nowhere: ",
      "VBGFILTER_RUNTIME_DIR")
    folder.write(file, "something else".utf8)
    #expect(error(folder.path)?.kind == .modelUnreadable)
    if let path = realModel(file) {
      let whole = TestFile.bytes(path)
      folder.write(file, whole[..<(whole.count / 2)])
      #expect(error(folder.path)?.kind == .modelUnreadable)
      if file == BlazeFace.file {
        #expect(error(OpenVINOModelLoader.modelsFolder(), device: "NPU")?.kind == .deviceRefused)
      }
    }
    // Store another network under this name.
    if let other = realModel(other) {
      folder.write(file, TestFile.bytes(other))
      expect(error(folder.path), .modelUnknown, words)
    }
  }

  @Test(
    "adds nothing to the allocations of OpenVINO", .enabled(if: allocation_counter_works()),
    arguments: installed)
  func allocations(file: String) throws {
    let network = try ownNetwork(file)
    let whole = leastAllocations { _ = try? network.infer() }
    let bare = leastAllocations { _ = network.request.infer(onThisThread: true) }
    #expect(whole == bare)
  }

  @Test(.enabled(if: realModel(BlazeFace.file) != nil, "the network is not set up"))
  func noFaceIsFoundInAnEmptyFrame() throws {
    let picture = TestPicture(format: FrameFormat(width: 640, height: 360), (90, 120, 100))
    let detector = try FaceDetector()
    for _ in 0..<10 {
      #expect(try detector.detect(in: picture.frame, format: picture.format).isEmpty)
    }
    #expect(detector.inferences > 20)
  }

  /// Paints a face, 40 rows high: skin, eyes, nose and mouth.
  private func paintFace(for network: CenterFace) {
    let (width, height) = FaceMaps.input
    network.network.input.fill(40)
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

  /// OpenCV produced the expected numbers from the same file, in f32.
  @Test(
    "matches the results of OpenCV with a resized CenterFace",
    .enabled(if: realModel(CenterFace.file) != nil, "the network is not set up"))
  func centerFaceMatchesOpenCV() throws {
    let network = try CenterFace(path: realModel(CenterFace.file) ?? "", device: "CPU", threads: 1)
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
}
