/// A filter or an analyzer: its name, formats, properties and life cycle.
///
/// Each GStreamer element has its own value of the type. `init()` is called when the element is
/// created, so it should be fast: load models and files in `setUp(for:)`. A value is used on one
/// thread at a time.
public protocol VideoElement: SendableMetatype {
  /// Creates a value with the default values of its properties.
  init()

  /// The element's name in pipelines: a letter, then letters, digits, `-` and `_`.
  static var id: String { get }

  /// The name for users, for example in a list of filters.
  ///
  /// It must not be empty.
  static var name: String { get }

  /// The purpose of the element, in one sentence, by default `name`.
  static var summary: String { get }

  /// The formats of the frames that the element accepts, by default NV12 and I420.
  static var formats: [VideoFrame.Format] { get }

  /// The properties that users can set, or an empty list by default.
  ///
  /// This must always return the same list.
  static var properties: [FilterProperty<Self>] { get }

  /// Prepares for frames of a size and format, and does nothing by default.
  ///
  /// Called before the first frame. When the size, format, colorimetry or frame rate changes,
  /// `tearDown()` is called, and then this method again.
  ///
  /// This method may take long: it is not called on the streaming thread, and stopping the stream
  /// does not wait for it. If the stream stops before it returns, `tearDown()` is called on the
  /// same thread. The next stream has a new value, created by `init()`, with the current property
  /// values.
  ///
  /// - Throws: an error, which ends the stream with a message that contains it.
  mutating func setUp(for stream: VideoStream) throws

  /// Releases everything that `setUp(for:)` created, and does nothing by default.
  ///
  /// It is also called if `setUp(for:)` throws, and must then release everything that exists.
  mutating func tearDown()
}

extension VideoElement {
  /// The name.
  public static var summary: String { name }
  /// NV12 and I420, which most cameras and decoders deliver.
  public static var formats: [VideoFrame.Format] { [.nv12, .i420] }
  /// An empty list.
  public static var properties: [FilterProperty<Self>] { [] }
  /// Does nothing.
  public mutating func setUp(for stream: VideoStream) throws {}
  /// Does nothing.
  public mutating func tearDown() {}
}
