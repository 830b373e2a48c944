/// How much around the people a network likes to see.
public struct Framing: Equatable, Sendable {
  /// Margin around them, as a share of their larger extent, or of their height where they are far.
  public var margin: Double
  /// A part of more than this share of the frame is no better than all of it.
  public var greatestShare: Double

  /// Makes a description.
  public init(margin: Double, greatestShare: Double) {
    self.margin = margin
    self.greatestShare = greatestShare
  }
}
