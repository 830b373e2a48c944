/// A background that has been opened: a picture, or a video whose thread runs.
enum OpenedBackground: Sendable {
  case image(BackgroundImage)
  case video(BackgroundVideo)
}
