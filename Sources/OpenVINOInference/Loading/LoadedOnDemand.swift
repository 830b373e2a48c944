import InferenceTypes
import Threads

/// A segmenter that is made on a loading thread, which keeps no reference to it, and used from then on by
/// the thread that asked for it alone: that is what makes it fit to be handed over.
struct LoadedSegmenter: @unchecked Sendable {
  let segmenter: any Segmenter
}

/// A model, and the frames that a segmenter of it is for.
struct SegmenterRequest: Equatable, Sendable {
  var model: ModelRequest
  var frameWidth: Int
  var frameHeight: Int
}

/// Loads the segmenters that are made when they are first needed.
typealias SegmenterLoader = Loader<SegmenterRequest, LoadedSegmenter, SegmentationError>

/// A segmenter that a loader makes once it is asked for.
///
/// Another one that is asked for takes its place in the loader: the networks of one stream follow each
/// other.
final class LoadedOnDemand: SegmenterOnDemand {
  private let loader: SegmenterLoader
  private let request: SegmenterRequest
  /// Whether who asks for the network waits for it.
  private let waits: Bool
  private var isAsked = false
  private var made: Result<LoadedSegmenter, SegmentationError>?
  private var failure: SegmentationError?

  init(_ request: SegmenterRequest, by loader: SegmenterLoader, waits: Bool) {
    self.loader = loader
    self.request = request
    self.waits = waits
  }

  func segmenter() -> (any Segmenter)? {
    if made == nil {
      if !isAsked { loader.request(request) }
      isAsked = true
      take(waits ? loader.wait() : loader.poll())
    }
    return try? made?.get().segmenter
  }

  func isBeingMade() -> Bool {
    guard isAsked, made == nil else { return false }
    // Whoever asked for it may not ask again.
    take(loader.poll())
    return made == nil
  }

  func takeFailure() -> SegmentationError? {
    defer { failure = nil }
    return failure
  }

  func withdraw() {
    guard isAsked, made == nil else { return }
    isAsked = false
    loader.withdraw()
  }

  private func take(_ answer: Result<LoadedSegmenter, SegmentationError>?) {
    made = answer
    if case .failure(let error) = answer { failure = error }
  }
}
