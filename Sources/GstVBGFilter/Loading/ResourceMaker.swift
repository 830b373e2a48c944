import Glibc
import InferenceTypes
import OpenVINOInference
import PixelTypes
import VirtualBackground

/// Makes what takes long: networks from model files, plates from pictures and videos.
///
/// Keeps the models and the picture that were read last, so that other frames need no reading. Used by
/// one thread at a time: by the one that starts the element, then by the loading thread.
final class ResourceMaker {
  private let modelLoader: any SegmentationModelLoader
  private let modelsFolder: String
  /// The models of the last network.
  private var lastModels: [(request: ModelRequest, model: any SegmentationModel)] = []
  /// The background that was opened last; a video only until it is shown.
  private var lastSource: (path: String, source: BackgroundSource)?
  /// The background that the start of the element did not wait for any longer.
  private var opening: BackgroundOpening?
  /// The videos that are shown, or about to be: they are not opened again for other frames.
  private var playing: [Playing] = []
  private let backgroundThreads: BackgroundThreads
  private let patience: BackgroundPatience

  private struct Playing {
    let path: String
    weak var video: BackgroundVideo?
  }

  init(
    modelLoader: any SegmentationModelLoader, modelsFolder: String,
    backgroundThreads: BackgroundThreads, patience: BackgroundPatience
  ) {
    self.modelLoader = modelLoader
    self.modelsFolder = modelsFolder
    self.backgroundThreads = backgroundThreads
    self.patience = patience
  }

  /// Reads the model of a request; says whether one can be had before frames come.
  func readModel(for request: NetworkRequest) throws(SegmentationError) {
    _ = try firstThatWorks(request) { (model) throws(SegmentationError) in model }
  }

  /// Does ahead of time what can be done for a request before the frames are known.
  func prepareNetwork(_ request: NetworkRequest) {
    // What goes wrong will go wrong again when the network is made, and is told then.
    _ = try? firstThatWorks(request) { (model) throws(SegmentationError) in
      model.prepare(frameWidth: request.frameWidth, frameHeight: request.frameHeight)
    }
  }

  /// Makes the network of a request.
  func makeNetwork(_ request: NetworkRequest) throws(SegmentationError) -> Network {
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
    if let closeUp = found.candidate.closeUp {
      do throws(SegmentationError) {
        segmenters.closeUp = try makeCloseUp(
          closeUp, request, beside: (found.candidate, found.product.segmenter))
      } catch {
        fallbackReasons.append("\(error) The network sees whole frames only.")
      }
    }
    return Network(
      segmenters: segmenters, path: found.candidate.path, quality: found.candidate.quality,
      fallbackReasons: fallbackReasons,
      unsupportedSubjects: found.product.knowsClasses || subjects.isPerson ? nil : subjects)
  }

  /// Makes the networks that follow the people; those that are there already serve twice.
  private func makeCloseUp(
    _ closeUp: QualityLadder.CloseUpFiles, _ request: NetworkRequest,
    beside first: (candidate: Candidate, segmenter: any Segmenter)
  ) throws(SegmentationError) -> Segmenters.CloseUp {
    func segmenter(_ file: String) throws(SegmentationError) -> any Segmenter {
      let path = "\(modelsFolder)/\(file)"
      if path == first.candidate.path { return first.segmenter }
      return try model(
        ModelRequest(
          path: path, lines: first.candidate.lines, device: request.device,
          threads: request.threads)
      ).makeSegmenter(frameWidth: request.frameWidth, frameHeight: request.frameHeight)
    }
    return Segmenters.CloseUp(
      segmenter: try segmenter(closeUp.file), overview: try segmenter(closeUp.overview),
      framing: closeUp.framing)
  }

  /// Begins to open a background, before there are frames to put it behind.
  ///
  /// Throws what is wrong with it, as far as that is known in the time that the start may take.
  func beginBackground(_ path: String) throws(BackgroundError) {
    let opening = try makeOpening(of: path)
    self.opening = opening
    if opening.isDone(within: patience.start) { _ = try source(path, Cancellation()) }
  }

  /// The opening of a background: the one that was begun, or a new one.
  private func makeOpening(of path: String) throws(BackgroundError) -> BackgroundOpening {
    if let opening, opening.location == path { return opening }
    return try BackgroundOpening(path, patience: patience.open, threads: backgroundThreads)
  }

  /// Makes what is shown of a background.
  func loadBackground(
    _ request: PlateRequest, _ cancellation: Cancellation
  ) throws(BackgroundError) -> LoadedBackground {
    let specification = request.specification
    switch try source(request.path, cancellation) {
    case .image(let image):
      do throws(OutOfMemory) {
        return .still(
          try image.makePlate(
            for: specification.format, fit: specification.fit,
            backgroundColor: specification.backgroundColor))
      } catch {
        throw BackgroundError.outOfMemory(error.byteCount, request.path)
      }
    case .video(let video):
      // From now on whoever shows it keeps it open.
      lastSource = nil
      playing.removeAll { $0.video == nil || $0.path == request.path }
      playing.append(Playing(path: request.path, video: video))
      let feed = video.makeFeed(specification)
      try feed.waitForPlate(within: patience.open, location: request.path, cancellation)
      return .moving(feed)
    }
  }

  private func source(
    _ path: String, _ cancellation: Cancellation
  ) throws(BackgroundError) -> BackgroundSource {
    if let lastSource, lastSource.path == path { return lastSource.source }
    if let video = playing.first(where: { $0.path == path })?.video { return .video(video) }
    // Two decoded pictures need not be in memory at the same time.
    lastSource = nil
    let opening = try makeOpening(of: path)
    self.opening = nil
    let source = try opening.take(cancellation)
    lastSource = (path, source)
    return source
  }

  private func model(_ request: ModelRequest) throws(SegmentationError) -> any SegmentationModel {
    if let known = lastModels.first(where: { $0.request == request }) { return known.model }
    // Those of another network need not be in memory any more.
    if lastModels.count == Self.modelsOfANetwork { lastModels.removeFirst() }
    let model = try modelLoader.load(request)
    lastModels.append((request, model))
    return model
  }
  private static let modelsOfANetwork = 2

  private struct Candidate {
    let path: String
    let lines: Int
    let quality: Quality?
    let closeUp: QualityLadder.CloseUpFiles?
  }

  /// Tries the candidates of a request one after the other, until `make` makes something of one.
  private func firstThatWorks<Product>(
    _ request: NetworkRequest,
    make: (any SegmentationModel) throws(SegmentationError) -> Product
  ) throws(SegmentationError) -> (product: Product, candidate: Candidate, fallbackReasons: [String])
  {
    let candidates = candidates(request)
    var errors: [SegmentationError] = []
    for candidate in candidates {
      do {
        let model = try model(
          ModelRequest(
            path: candidate.path, lines: candidate.lines, device: request.device,
            threads: request.threads, subjects: request.source.subjects))
        let product = try make(model)
        return (product, candidate, fallbackReasons(request, candidate, errors))
      } catch {
        errors.append(error)
        // No other file will do better without the library.
        if error.kind == .runtimeUnavailable { break }
      }
    }
    throw errors.first
      ?? Self.noneInstalled(in: modelsFolder, named: OpenVINOModelLoader.namedRuntimeFolder())
  }

  /// Says that no model is installed; `named` is the runtime folder that the environment names.
  static func noneInstalled(in folder: String, named: String?) -> SegmentationError {
    let variable = named.map {
      "correct the variable VBGFILTER_RUNTIME_DIR, which is set to \($0)"
        + ($0.hasPrefix("/") ? ", " : " and has to be an absolute path, ")
    }
    return SegmentationError(
      .modelNotFound,
      "No model is installed in \(folder): \(variable ?? "")run ./meson-helper/bootstrap, put one "
        + "of \(QualityLadder.files.joined(separator: ", ")) there, or name a model's file with the "
        + "property model.")
  }

  private func candidates(_ request: NetworkRequest) -> [Candidate] {
    switch request.source {
    case .file(let path, let lines, _):
      return [Candidate(path: place(of: path), lines: lines, quality: nil, closeUp: nil)]
    case .ladder(let quality, _):
      let installed = QualityLadder.files.filter {
        unsafe access("\(modelsFolder)/\($0)", R_OK) == 0
      }
      return QualityLadder.rungs(
        for: quality, frameWidth: request.frameWidth, frameHeight: request.frameHeight,
        installed: Set(installed)
      ).map {
        Candidate(
          path: "\(modelsFolder)/\($0.file)", lines: $0.lines, quality: $0.quality,
          closeUp: $0.closeUp)
      }
    }
  }

  /// A name alone stands for a file in the working directory, else for an installed network.
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
      "quality=\(wanted) is not to be had with what is installed in \(modelsFolder): "
        + "\(candidate.path) is used"
    ]
  }
}
