import PixelTypes

/// How a network wants its picture.
public struct TensorFormat: Equatable, Sendable {
  /// Order of the samples in memory.
  public enum Layout: Equatable, Sendable {
    /// All samples of one colour, then all of the next (NCHW).
    case planar
    /// The colours of a pixel side by side (NHWC).
    case interleaved
  }

  /// Order of the colours.
  public enum ColorOrder: Equatable, Sendable {
    /// Red first.
    case rgb
    /// Blue first.
    case bgr
  }

  /// How a picture of another aspect ratio is brought into the tensor.
  public enum Fit: Equatable, Sendable {
    /// Width and height are scaled apart.
    case stretch
    /// The aspect ratio is kept; the rest of the tensor is black.
    case letterbox
  }

  /// The filter that scales the picture.
  public enum Filter: Equatable, Sendable {
    /// A triangle (antialiased bilinear): cheap and a little soft.
    case triangle
    /// Lanczos with three lobes: keeps the detail that a network with fine edges makes use of.
    case lanczos
  }

  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int
  /// Order of the samples in memory.
  public var layout: Layout
  /// How the picture is brought into the tensor.
  public var fit: Fit
  /// The filter that scales the picture.
  public var filter: Filter
  /// Order of the colours in a pixel, or of their planes.
  public var order: ColorOrder
  /// What the samples of red become.
  public var red: SampleRange
  /// What the samples of green become.
  public var green: SampleRange
  /// What the samples of blue become.
  public var blue: SampleRange

  /// Makes a description of the input of a network that wants the same range for all colours.
  public init(
    width: Int, height: Int, layout: Layout, fit: Fit, filter: Filter = .triangle,
    range: SampleRange = SampleRange(low: 0, high: 1)
  ) {
    self.width = width
    self.height = height
    self.layout = layout
    self.fit = fit
    self.filter = filter
    order = .rgb
    (red, green, blue) = (range, range, range)
  }
}
