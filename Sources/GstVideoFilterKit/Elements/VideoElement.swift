/// A filter or an analyzer: its name, formats, properties and life cycle.
///
/// A value of the type is one element of a pipeline. `init()` makes it together with the element,
/// so it should cost little: load models and files in `setUp(for:)`. A value is used on one thread
/// at a time.
public protocol VideoElement: SendableMetatype {
  /// Makes a value with the defaults of its properties.
  init()

  /// The element's name in pipelines: a letter, then letters, digits, `-` and `_`.
  static var id: String { get }

  /// The name for users, for example in a list of filters.
  ///
  /// It must not be empty.
  static var name: String { get }

  /// The purpose, in a sentence, by default `name`.
  static var summary: String { get }

  /// The formats of frames that it accepts, by default NV12 and I420.
  static var formats: [VideoFrame.Format] { get }

  /// The properties that users can set, or an empty list by default.
  ///
  /// It must always return the same list.
  static var properties: [FilterProperty<Self>] { get }

  /// Gets ready for frames of a size and format, and does nothing by default.
  ///
  /// Called before the first frame, and again, after `tearDown()`, before the first one of another
  /// size, format, colorimetry or frame rate.
  ///
  /// It may take long: it runs off the streaming thread, and stopping the stream does not wait for
  /// it. If the stream stops meanwhile, the value is torn down on that thread. The next stream has
  /// a new value, made by `init()`, with the current property values.
  ///
  /// - Throws: an error, which ends the stream with a message that contains it.
  mutating func setUp(for stream: VideoStream) throws

  /// Releases everything that `setUp(for:)` made, or a part of it, if that threw.
  ///
  /// Does nothing by default.
  mutating func tearDown()
}

extension VideoElement {
  /// The name.
  public static var summary: String { name }
  /// NV12 and I420, which cameras and decoders give.
  public static var formats: [VideoFrame.Format] { [.nv12, .i420] }
  /// An empty list.
  public static var properties: [FilterProperty<Self>] { [] }
  /// Does nothing.
  public mutating func setUp(for stream: VideoStream) throws {}
  /// Does nothing.
  public mutating func tearDown() {}
}
