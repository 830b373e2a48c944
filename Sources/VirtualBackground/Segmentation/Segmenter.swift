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

extension TensorFormat {
  /// Floats from a pixel to the next one.
  var pixelStep: Int { layout == .planar ? 1 : 3 }

  /// Where red, green and blue of the first pixel lie in a tensor.
  var colorOffsets: (red: Int, green: Int, blue: Int) {
    let component = layout == .planar ? width * height : 1
    return order == .rgb ? (0, component, 2 * component) : (2 * component, component, 0)
  }

  /// Makes a tensor black all over.
  func fillWithBlack(_ tensor: UnsafeMutablePointer<Float>) {
    func fill(_ first: Int, _ value: Float) {
      for pixel in 0..<width * height { unsafe tensor[first + pixel * pixelStep] = value }
    }
    let offsets = colorOffsets
    fill(offsets.red, red.low)
    fill(offsets.green, green.low)
    fill(offsets.blue, blue.low)
  }
}

/// A matte as a network gives it: one float a pixel, 0 for the room and 1 for the person, over the
/// same picture that went into the input tensor.
///
/// Safety: points into the segmenter's output tensor; valid until its next `infer` or its end.
@safe public struct RawMatte {
  /// The first sample of the first row; rows follow without padding.
  public let base: UnsafePointer<Float>
  /// Samples in a row.
  public let width: Int
  /// Number of rows.
  public let height: Int

  /// Describes memory that the segmenter owns.
  @unsafe public init(base: UnsafePointer<Float>, width: Int, height: Int) {
    unsafe self.base = base
    self.width = width
    self.height = height
  }
}

/// How well a network's matte follows the edge of the person.
public enum MatteEdge: Sendable {
  /// It knows where the person is, and the edge about.
  case approximate
  /// It was made to find the alpha of each pixel.
  case exact
}

/// A network that is ready to run: it finds the person in one picture after another.
///
/// Used on one thread at a time.
public protocol Segmenter: AnyObject {
  /// How the network wants its picture.
  var inputFormat: TensorFormat { get }

  /// The input tensor, `3 * width * height` floats, written in place before `infer`.
  ///
  /// Valid until the next `infer` returns; ask for it anew for each picture.
  var inputTensor: UnsafeMutablePointer<Float> { get }

  /// Runs the network on what stands in `inputTensor`.
  ///
  /// Throws `SegmentationError` when the inference fails; the past is then forgotten.
  func infer() throws(SegmentationError) -> RawMatte

  /// How well the matte follows the edge of the person.
  var edge: MatteEdge { get }

  /// Whether the network remembers earlier pictures.
  var remembersPast: Bool { get }

  /// Drops what the network remembers of earlier pictures.
  func forgetPast()

  /// Fits what the network remembers to pictures that show another part of the frame from now on.
  func movePast(from old: PixelRegion, to new: PixelRegion)

  /// Nanoseconds that other threads than those that called `infer` have computed for this network since
  /// the last call.
  func takeHelperTime() -> UInt64
}

extension Segmenter {
  /// Most networks tell persons from rooms.
  public var edge: MatteEdge { .approximate }

  /// Most networks see one picture at a time.
  public var remembersPast: Bool { false }

  /// There is nothing to move.
  public func movePast(from old: PixelRegion, to new: PixelRegion) {}

  /// The calling thread does all.
  public func takeHelperTime() -> UInt64 { 0 }
}

/// A network that was read from its file and recognised, not yet made ready for a frame size.
///
/// May be made on one thread and used on another, by one thread at a time.
public protocol SegmentationModel: AnyObject, Sendable {
  /// The file that it was read from.
  var path: String { get }

  /// What it can tell apart and may be asked to keep; empty for a network that knows one subject
  /// only, whatever it is asked for.
  var subjects: [String] { get }

  /// Makes the network ready for frames of a size: takes from tens of milliseconds to a second.
  ///
  /// Throws `SegmentationError` when the device cannot run the network.
  func makeSegmenter(
    frameWidth: Int, frameHeight: Int
  ) throws(SegmentationError) -> any Segmenter

  /// Does ahead of time what the next `makeSegmenter` begins with, if its frames have the same
  /// proportions or the network does not care; what goes wrong is left to that to report.
  func prepare(frameWidth: Int, frameHeight: Int)
}

/// What to load, and where to run it.
public struct ModelRequest: Equatable, Sendable {
  /// The model's file.
  public var path: String
  /// Lines of the network's input, for networks that take any size; others ignore it.
  public var lines: Int
  /// OpenVINO's name of the device, `CPU` for example.
  public var device: String
  /// Threads of an inference; 0 leaves the choice to the device.
  public var threads: Int
  /// What is kept, by its names, for networks that know classes; others ignore it.
  public var subjects: Subjects

  /// Makes a request.
  public init(
    path: String, lines: Int, device: String, threads: Int, subjects: Subjects = Subjects()
  ) {
    self.subjects = subjects
    self.path = path
    self.lines = lines
    self.device = device
    self.threads = threads
  }
}

/// Reads models.
///
/// The element uses OpenVINO's; tests use one of their own.
public protocol SegmentationModelLoader: Sendable {
  /// Reads and recognises a model.
  ///
  /// Throws `SegmentationError` when the file is missing, broken or of no known family, and when a
  /// network that knows classes does not know one that is to be kept.
  func load(_ request: ModelRequest) throws(SegmentationError) -> any SegmentationModel
}
