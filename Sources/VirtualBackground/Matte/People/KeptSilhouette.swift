/// What of the matte was kept in the last inference, in samples of the matte.
public struct KeptSilhouette: Equatable, Sendable {
  /// Number of samples of at least `Silhouettes.threshold`.
  public var area = 0
  /// The rectangle that they fill: from `left` and `top` to before `right` and `bottom`.
  public var left = 0, top = 0, right = 0, bottom = 0
  /// Number of components that are dropped.
  public var dropped = 0

  /// Nothing was kept.
  public init() {}

  /// Takes a component in.
  mutating func add(_ component: ConnectedRuns.Component) {
    if area == 0 {
      (left, top, right, bottom) = (
        component.left, component.top, component.right, component.bottom
      )
    } else {
      (left, top) = (min(left, component.left), min(top, component.top))
      (right, bottom) = (max(right, component.right), max(bottom, component.bottom))
    }
    area += component.area
  }
}
