import Compositing
import PixelTypes

/// A background, fitted to the frames of a stream.
public struct PlateRequest: Equatable, Sendable {
  /// A path or URI (see `BackgroundContent.open`).
  public var location: String
  /// The plates that its pictures are made into.
  public var specification: PlateSpecification

  /// Makes a request.
  public init(location: String, specification: PlateSpecification) {
    self.location = location
    self.specification = specification
  }
}

/// The way to fit the pictures of a background to the frames of a stream.
public struct PlateSpecification: Equatable, Sendable {
  /// The format of the frames, and so of the plates.
  public var format: FrameFormat
  /// The way that a picture of another shape fills them.
  public var fit: BackgroundFit
  /// The colour around and through a picture: red, green and blue in the low 24 bits.
  public var backgroundColor: UInt32

  /// Makes a specification.
  public init(format: FrameFormat, fit: BackgroundFit, backgroundColor: UInt32) {
    self.format = format
    self.fit = fit
    self.backgroundColor = backgroundColor
  }
}
