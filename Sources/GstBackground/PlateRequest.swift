import Compositing
import PixelTypes

/// A request for plates of a background.
public struct PlateRequest: Equatable, Sendable {
  /// A path or URI (see `BackgroundContent.open`).
  public var location: String
  /// The format of the plates, and the way to fit the background to them.
  public var specification: PlateSpecification

  /// Creates a request.
  public init(location: String, specification: PlateSpecification) {
    self.location = location
    self.specification = specification
  }
}

/// The format of plates, and the way to fit pictures to them.
public struct PlateSpecification: Equatable, Sendable {
  /// The format of the frames, which is also the format of the plates.
  public var format: FrameFormat
  /// The way to fit a picture with another aspect ratio.
  public var fit: BackgroundFit
  /// The colour around a picture and behind its transparent pixels.
  ///
  /// The low 24 bits are red, green and blue.
  public var backgroundColor: UInt32

  /// Creates a specification.
  public init(format: FrameFormat, fit: BackgroundFit, backgroundColor: UInt32) {
    self.format = format
    self.fit = fit
    self.backgroundColor = backgroundColor
  }
}
