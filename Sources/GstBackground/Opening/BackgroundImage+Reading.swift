import Threads

extension BackgroundImage {
  /// The picture at a path or URI; of a video, the first.
  ///
  /// Blocks until it has been read, for `patience` at most once it is open, unless `cancellation` says
  /// that it need not go on.
  ///
  /// - Throws: what is wrong with it.
  public static func read(
    _ location: String, patience: Duration = .seconds(20),
    _ cancellation: Cancellation = Cancellation()
  ) throws(BackgroundError) -> BackgroundImage {
    let content = try BackgroundContent.open(
      location, patience: patience, isCancelled: { cancellation.isCancelled })
    switch content {
    case .image(let image): return image
    case .video(let decoder, let first):
      defer { decoder.abandon() }
      return try BackgroundImage(
        first[0], turned: decoder.orientation ?? .upright, location: location)
    }
  }
}
