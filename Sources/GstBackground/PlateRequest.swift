import Compositing
import PixelTypes

/// A background, fitted to the frames of a stream.
public struct PlateRequest: Equatable, Sendable {
  /// A path or URI; see `BackgroundContent.open`.
  public var location: String
  /// What its pictures are made into.
  public var specification: PlateSpecification

  /// Names all of it.
  public init(location: String, specification: PlateSpecification) {
    self.location = location
    self.specification = specification
  }
}

/// How the pictures of a background are to be fitted to the frames of a stream.
public struct PlateSpecification: Equatable, Sendable {
  /// The frames that the plates stand behind.
  public var format: FrameFormat
  /// How a picture of another shape fills them.
  public var fit: BackgroundFit
  /// What is seen beside and through a picture: red, green and blue in the low 24 bits.
  public var backgroundColor: UInt32

  /// Names all of it.
  public init(format: FrameFormat, fit: BackgroundFit, backgroundColor: UInt32) {
    self.format = format
    self.fit = fit
    self.backgroundColor = backgroundColor
  }
}
