/// What filters and analyzers have in common: a name, formats, properties and a life.
///
/// A value of the type is one element of a pipeline. It is made when the element is, with `init()`,
/// which should therefore cost little: load models and files in `setUp(for:)`. After that it is
/// used on one thread at a time.
public protocol VideoElement: SendableMetatype {
  /// Makes a value whose properties have their defaults.
  init()

  /// The element's name in pipelines: a letter, then letters, digits, `-` and `_`.
  static var id: String { get }

  /// The name for people to read, in a picker for example.
  static var name: String { get }

  /// What it does, in a sentence; `name` unless given.
  static var summary: String { get }

  /// The formats of frames that it works on; NV12 and I420 unless given.
  static var formats: [VideoFrame.Format] { get }

  /// What users can set; nothing unless given.
  static var properties: [FilterProperty<Self>] { get }

  /// Gets ready for frames of a size and format; does nothing unless given.
  ///
  /// Called before the first frame, and again, after `tearDown()`, before the first one of another
  /// size, format, colorimetry or frame rate. An error ends the stream, with a message that names it.
  ///
  /// It may take long: it runs on another thread than the frames, and whoever stops the stream does
  /// not wait for it. A value that nobody waits for any more is torn down on that thread, and the
  /// next stream has a new one, made with `init()`, with what users have set.
  mutating func setUp(for stream: VideoStream) throws

  /// Gives back what `setUp(for:)` took, or some of it, if it threw; does nothing unless given.
  mutating func tearDown()
}

extension VideoElement {
  /// The name.
  public static var summary: String { name }
  /// NV12 and I420, which cameras and decoders give.
  public static var formats: [VideoFrame.Format] { [.nv12, .i420] }
  /// None.
  public static var properties: [FilterProperty<Self>] { [] }
  /// Does nothing.
  public mutating func setUp(for stream: VideoStream) throws {}
  /// Does nothing.
  public mutating func tearDown() {}
}
