import VirtualBackground

/// How the pictures of a background are to be fitted to the frames of a stream.
struct PlateSpecification: Equatable, Sendable {
  var format: FrameFormat
  var fit: BackgroundFit
  /// Red, green and blue in the low 24 bits.
  var backgroundColor: UInt32
}

/// A background, fitted to the frames of a stream.
struct PlateRequest: Equatable, Sendable {
  var path: String
  var specification: PlateSpecification
}

/// What is to stand behind the person.
enum LoadedBackground: Sendable {
  case still(Plate)
  /// There is a plate in it already.
  case moving(PlateFeed)
}
