import PixelTypes

/// The format of a network's input tensor.
public struct TensorFormat: Equatable, Sendable {
  /// Order of the samples in memory.
  public enum Layout: Equatable, Sendable {
    /// One plane per colour (NCHW).
    case planar
    /// The colours of each pixel are adjacent (NHWC).
    case interleaved
  }

  /// Order of the colours.
  public enum ColorOrder: Equatable, Sendable {
    /// Red first.
    case rgb
    /// Blue first.
    case bgr
  }

  /// How a picture with a different aspect ratio is fitted to the tensor.
  public enum Fit: Equatable, Sendable {
    /// Width and height are scaled independently.
    case stretch
    /// The aspect ratio is kept, and the rest of the tensor is black.
    case letterbox
  }

  /// The filter that scales the picture.
  public enum Filter: Equatable, Sendable {
    /// A triangle (antialiased bilinear): fast but slightly soft.
    case triangle
    /// Lanczos with three lobes: keeps the detail that networks with fine edges need.
    case lanczos
  }

  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int
  /// Order of the samples in memory.
  public var layout: Layout
  /// How a picture is fitted to the tensor.
  public var fit: Fit
  /// The filter that scales the picture.
  public var filter: Filter
  /// Order of the colours in a pixel, or of their planes.
  public var order: ColorOrder
  /// The range of red samples.
  public var red: SampleRange
  /// The range of green samples.
  public var green: SampleRange
  /// The range of blue samples.
  public var blue: SampleRange

  /// Creates the format of an RGB input with the same range for all colours.
  public init(
    width: Int, height: Int, layout: Layout, fit: Fit, filter: Filter = .triangle,
    range: SampleRange = SampleRange(low: 0, high: 1)
  ) {
    (self.width, self.height, self.layout) = (width, height, layout)
    (self.fit, self.filter, order) = (fit, filter, .rgb)
    (red, green, blue) = (range, range, range)
  }
}
