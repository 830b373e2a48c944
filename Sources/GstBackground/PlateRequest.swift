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
