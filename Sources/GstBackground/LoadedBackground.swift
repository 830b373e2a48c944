import Compositing

/// What is to stand behind the person.
public enum LoadedBackground: Sendable {
  case still(Plate)
  /// There is a plate in it already.
  case moving(PlateFeed)
}
