import CAllocationCounter
import InferenceTypes
import PersonSelection
import PixelTypes
import TestSupport
import Testing

@testable import OpenVINOInference

/// The network itself, where set-up has fetched it.
///
/// That it finds faces is tested on the sample person,
/// where pictures can be decoded.
struct BlazeFaceTests {
  private static let path = realModel(BlazeFace.file)

  private let picture = TestPicture(
    format: FrameFormat(
      width: 640, height: 360, colorimetry: Colorimetry(matrix: .bt709, range: .limited)))

  @Test(.enabled(if: path != nil, "the network is not set up"))
  func noFaceIsFoundInAnEmptyFrame() throws {
    let detector = try FaceDetector()
    picture.paint(red: 90, green: 120, blue: 100)
    for _ in 0..<10 {
      #expect(try detector.detect(in: picture.frame, format: picture.format).isEmpty)
    }
    #expect(detector.inferences > 20)
  }

  @Test(.enabled(if: path != nil, "the network is not set up"))
  func detectorsShareOneCompiledNetwork() throws {
    let path = Self.path ?? ""
    let first = try BlazeFace(path: path, device: "CPU", threads: 1)
    let second = try BlazeFace(path: path, device: "CPU", threads: 1)
    let use = first.network.use
    #expect(use === second.network.use && use.isShared)
    #expect(try BlazeFace(path: path, device: "CPU", threads: 2).network.use !== use)
  }

  @Test(.enabled(if: path != nil, "the network is not set up"))
  func theSameInputGivesTheSameOutput() throws {
    let network = try BlazeFace(path: Self.path ?? "", device: "CPU", threads: 1)
    for index in 0..<3 * 128 * 128 { unsafe network.inputTensor[index] = Float(index % 17) / 17 }
    func scores() throws -> [Float] {
      let raw = try network.infer()
      return unsafe Array(UnsafeBufferPointer(start: raw.scores, count: FaceAnchors.count))
    }
    let first = try scores()
    #expect(first.allSatisfy(\.isFinite) && Set(first).count > 100)
    #expect(try scores() == first)
  }

  @Test(
    .enabled(if: path != nil, "the network is not set up"),
    arguments: [Float.nan, .infinity, -.infinity, 1e37, -1e37])
  func whateverGoesInOnlyNumbersComeOut(value: Float) throws {
    let network = try BlazeFace(path: Self.path ?? "", device: "CPU", threads: 1)
    for index in 0..<3 * 128 * 128 { unsafe network.inputTensor[index] = value }
    do throws(SegmentationError) {
      let raw = try network.infer()
      for index in 0..<FaceAnchors.count { #expect(unsafe raw.scores[index].isFinite) }
      for index in 0..<FaceAnchors.count * FaceAnchors.regressors {
        #expect(unsafe raw.regressors[index].isFinite)
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
    func error(_ folder: String, device: String = "CPU") -> SegmentationError? {
      errorOf { () throws(SegmentationError) in
        try FaceDetector(modelsFolder: folder, device: device)
      }
    }
    let missing = error("/nowhere")
    #expect(missing?.kind == .modelNotFound)
    let text = missing?.description ?? ""
    #expect(text.hasPrefix("No \(BlazeFace.file) is installed in /nowhere; "), "\(text)")
    #expect(text.contains("VBGFILTER_RUNTIME_DIR"), "\(text)")
    let folder = TemporaryFolder()
    _ = folder.write(BlazeFace.file, "something else".utf8)
    #expect(error(folder.path)?.kind == .modelUnreadable)
    if let path = Self.path {
      let whole = contents(path)
      _ = folder.write(BlazeFace.file, whole[..<(whole.count / 2)])
      #expect(error(folder.path)?.kind == .modelUnreadable)
      #expect(error(OpenVINOModelLoader.modelsFolder(), device: "NPU")?.kind == .deviceRefused)
    }
    // Another network under this name.
    if let other = realModel("selfie_segmentation.tflite") {
      _ = folder.write(BlazeFace.file, contents(other))
      let wrong = error(folder.path)
      #expect(wrong?.kind == .modelUnknown)
      #expect(wrong?.description.contains("1x896x16") == true)
    }
  }

  /// OpenVINO allocates inside an inference; what is around it does not.
  @Test(.enabled(if: path != nil && allocation_counter_works(), "the network is not set up"))
  func nothingIsAddedToOpenVINOsAllocations() throws {
    // A file that no other test's network shares.
    let folder = TemporaryFolder()
    let network = try BlazeFace(
      path: folder.write(BlazeFace.file, contents(Self.path ?? "")), device: "CPU", threads: 1)
    let whole = leastAllocations { _ = try? network.infer() }
    let bare = leastAllocations { _ = network.network.request.infer(onThisThread: true) }
    #expect(whole == bare)
  }
}
