/// A background that has been opened: a picture, or a video whose thread is at work.
enum OpenedBackground: Sendable {
  case image(BackgroundImage)
  case video(BackgroundVideo)
}
