import Glibc
import Matting
import Threads

/// The type that `NetworkMaker.makeLoader` returns.
package typealias NetworkLoader = Loader<NetworkRequest, LoadedNetwork, SegmentationError>

/// Loads the networks that a request needs: the main network and the networks for the crop.
///
/// It keeps the models of the last request in memory, so that a new frame size needs no reading.
///
/// Sendable because only one thread at a time uses it: first the thread that begins the stream,
/// then the loading thread.
public final class NetworkMaker: @unchecked Sendable {
  private let modelLoader: any SegmentationModelLoader
  private let modelsFolder: String
  private let noneInstalled: SegmentationError
  /// The clock that measures inferences.
  ///
  /// Tests replace it before they call `makeLoader`.
  package var clock = LoadClock()
  /// Whether the current request is cancelled.
  private var isCancelled: () -> Bool = { false }
  /// The models of the last request.
  private var lastModels: [(request: ModelRequest, model: any SegmentationModel)] = []

  /// Creates an object that has read no models yet.
  ///
  /// - Parameters:
  ///   - modelLoader: Reads the models.
  ///   - modelsFolder: The folder of the ladder's networks.
  ///   - noneInstalled: The error if no network of the ladder is installed.
  public init(
    modelLoader: any SegmentationModelLoader = OpenVINOModelLoader(),
    modelsFolder: String = OpenVINOModelLoader.modelsFolder(),
    noneInstalled: SegmentationError? = nil
  ) {
    self.modelLoader = modelLoader
    self.modelsFolder = modelsFolder
    self.noneInstalled = noneInstalled ?? OpenVINOModelLoader.notInstalled(in: modelsFolder)
  }

  /// Reads the model of a request.
  ///
  /// Throws early, before the stream starts, if no candidate can be read.
  package func readModel(for request: NetworkRequest) throws(SegmentationError) {
    _ = try firstThatWorks(request) { (model) throws(SegmentationError) in model }
  }

  /// Prepares the network of a request ahead of time.
  package func prepareNetwork(_ request: NetworkRequest, _ cancellation: Cancellation) {
    isCancelled = { cancellation.isCancelled }
    defer { isCancelled = { false } }
    // Ignore errors: they occur again in `makeNetwork`, which reports them.
    _ = try? firstThatWorks(request) { (model) throws(SegmentationError) in
      model.prepare(frameWidth: request.frameWidth, frameHeight: request.frameHeight)
    }
  }

  /// Returns a loader that calls `makeNetwork` on a loading thread.
  ///
  /// From then on, only that thread may use this object.
  package func makeLoader(on thread: LoadingThread, waking wait: StreamWait) -> NetworkLoader {
    NetworkLoader(on: thread, waking: wait) {
      [self] (request, cancellation) throws(SegmentationError) in
      isCancelled = { cancellation.isCancelled }
      defer { isCancelled = { false } }
      return try makeNetwork(request)
    }
  }

  /// Loads the network of a request, which takes up to a second.
  ///
  /// - Throws: The error of the first candidate, if all candidates fail.
  public func makeNetwork(_ request: NetworkRequest) throws(SegmentationError) -> LoadedNetwork {
    let found = try firstThatWorks(request) { (model) throws(SegmentationError) in
      (
        segmenter: try model.makeSegmenter(
          frameWidth: request.frameWidth, frameHeight: request.frameHeight),
        knowsClasses: !model.subjects.isEmpty
      )
    }
    let subjects = request.source.subjects
    var segmenters = Segmenters(wholeFrame: found.product.segmenter)
    var fallbackReasons = found.fallbackReasons
    if let crop = found.candidate.crop {
      do throws(SegmentationError) {
        func segmenter(_ file: String) throws(SegmentationError) -> any Segmenter {
          // The crop and the whole frame may have the same network.
          if "\(modelsFolder)/\(file)" == found.candidate.path { return found.product.segmenter }
          return try makeSegmenter(file, lines: found.candidate.lines, request)
        }
        segmenters.crop = Segmenters.Crop(
          segmenter: try segmenter(crop.file), peopleFinder: try segmenter(crop.peopleFinder),
          margins: crop.margins)
      } catch {
        fallbackReasons.append("\(error) The network sees whole frames only.")
      }
      do throws(SegmentationError) {
        if let lines = crop.coarseLines {
          segmenters.crop?.coarse = try makeSegmenter(crop.file, lines: lines, request)
        }
      } catch {
        fallbackReasons.append("\(error) Parts of people that the network misses are not restored.")
      }
      do throws(SegmentationError) {
        segmenters.crop?.witness = try makeSegmenter(
          crop.witness, lines: QualityLadder.lines(for: .balanced), request)
      } catch {
        fallbackReasons.append("\(error) Objects in an empty room may be shown.")
      }
    }
    return LoadedNetwork(
      segmenters: segmenters, path: found.candidate.path, quality: found.candidate.quality,
      fallbackReasons: fallbackReasons,
      unsupportedSubjects: found.product.knowsClasses || subjects.isPerson ? nil : subjects,
      cost: request.isMeasured ? try measure(segmenters) : nil)
  }

  /// Measures the cost of an inference.
  ///
  /// With a coarse network, `time` is the sum of both inferences, which is the worst case.
  /// `processorTime` omits the coarse network, which runs too rarely to matter.
  private func measure(_ segmenters: Segmenters) throws(SegmentationError) -> InferenceCost {
    let segmenter = segmenters.crop?.segmenter ?? segmenters.wholeFrame
    var cost = try measure(segmenter)
    if let coarse = segmenters.crop?.coarse {
      cost.time += try measure(coarse).time
      coarse.reset()
    }
    segmenter.reset()
    return cost
  }

  /// Returns the minimum of several measurements, because other streams can occupy the cores.
  private func measure(_ segmenter: any Segmenter) throws(SegmentationError) -> InferenceCost {
    let tensor = segmenter.inputFormat
    var least = InferenceCost(time: .max, processorTime: .max)
    for turn in 0...Self.measurements {
      // Use grey: arbitrary values in fresh memory may take longer.
      unsafe segmenter.inputTensor.update(repeating: 0.5, count: 3 * tensor.width * tensor.height)
      let clock = WorkClock(clock)
      _ = try segmenter.infer()
      let cost = InferenceCost(
        time: clock.elapsed, processorTime: clock.computed &+ segmenter.consumeHelperTime())
      // Skip the first inference, which allocates the network's buffers.
      if turn > 0, cost.time < least.time { least = cost }
    }
    return least
  }
  private static let measurements = 4

  /// The qualities with an installed network of their own, the cheapest first.
  package func installedQualities() -> [Quality] {
    QualityLadder.qualities(installed: installedFiles())
  }

  private func installedFiles() -> Set<String> {
    Set(QualityLadder.files.filter { unsafe access("\(modelsFolder)/\($0)", R_OK) == 0 })
  }

  /// Creates a segmenter, and reads its model unless it is in memory.
  private func makeSegmenter(
    _ file: String, lines: Int, _ request: NetworkRequest
  ) throws(SegmentationError) -> any Segmenter {
    let model = try model(
      ModelRequest(
        path: "\(modelsFolder)/\(file)", lines: lines, device: request.device,
        threads: request.threads))
    return try model.makeSegmenter(frameWidth: request.frameWidth, frameHeight: request.frameHeight)
  }

  private func model(_ request: ModelRequest) throws(SegmentationError) -> any SegmentationModel {
    if let known = lastModels.first(where: { $0.request == request }) { return known.model }
    // Drop a model of the previous request.
    if lastModels.count == Self.modelsOfANetwork { lastModels.removeFirst() }
    let model = try modelLoader.load(request, isCancelled: isCancelled)
    lastModels.append((request, model))
    return model
  }
  private static let modelsOfANetwork = 4

  private struct Candidate {
    let path: String
    let lines: Int
    let quality: Quality?
    let crop: QualityLadder.CropFiles?
  }

  /// Tries the candidates of a request in order until `make` succeeds.
  private func firstThatWorks<Product>(
    _ request: NetworkRequest,
    make: (any SegmentationModel) throws(SegmentationError) -> Product
  ) throws(SegmentationError) -> (product: Product, candidate: Candidate, fallbackReasons: [String])
  {
    var errors: [SegmentationError] = []
    for candidate in candidates(request) {
      do {
        let model = try model(
          ModelRequest(
            path: candidate.path, lines: candidate.lines, device: request.device,
            threads: request.threads, subjects: request.source.subjects))
        let product = try make(model)
        return (product, candidate, fallbackReasons(request, candidate, errors))
      } catch {
        errors.append(error)
        // Without OpenVINO, all other candidates fail too.
        if error.kind == .runtimeUnavailable { break }
      }
    }
    throw errors.first ?? noneInstalled
  }

  private func candidates(_ request: NetworkRequest) -> [Candidate] {
    switch request.source {
    case .file(let path, let lines, _):
      return [Candidate(path: place(of: path), lines: lines, quality: nil, crop: nil)]
    case .ladder(let quality, _):
      return QualityLadder.rungs(
        for: quality, frameWidth: request.frameWidth, frameHeight: request.frameHeight,
        installed: installedFiles()
      ).map {
        Candidate(
          path: "\(modelsFolder)/\($0.file)", lines: $0.lines, quality: $0.quality,
          crop: $0.crop)
      }
    }
  }

  /// Resolves a bare file name to a file in the working directory or an installed network.
  private func place(of path: String) -> String {
    let installed = "\(modelsFolder)/\(path)"
    let isName = !path.contains("/")
    return unsafe isName && access(path, F_OK) != 0 && access(installed, F_OK) == 0
      ? installed : path
  }

  private func fallbackReasons(
    _ request: NetworkRequest, _ candidate: Candidate, _ errors: [SegmentationError]
  ) -> [String] {
    guard case .ladder(let wanted, _) = request.source, candidate.quality != wanted else {
      return []
    }
    return errors.map(\.description) + [
      "quality=\(wanted) is not available with the networks in \(modelsFolder): "
        + "\(candidate.path) is used"
    ]
  }
}
