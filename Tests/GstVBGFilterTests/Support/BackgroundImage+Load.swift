@testable import GstVBGFilter

extension BackgroundImage {
  /// The picture at a path or URI; of a video, the first.
  static func load(
    pathOrURI location: String, patience: Duration = .seconds(20)
  ) throws(BackgroundError) -> BackgroundImage {
    switch try BackgroundContent.open(location, patience: patience) {
    case .image(let image): return image
    case .video(let decoder, let first):
      return try BackgroundImage(
        first[0], turned: decoder.orientation ?? .upright, location: location)
    }
  }
}
