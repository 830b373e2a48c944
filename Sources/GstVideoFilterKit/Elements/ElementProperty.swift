import GstElementSupport

/// The numbers of an element's properties in GObject.
enum ElementProperty {
  static let active: UInt32 = 1
  /// Of an element that switches between filters.
  static let filter: UInt32 = 2
  static let filters: UInt32 = 3
  static let current: UInt32 = 4
  /// The first property that a filter declares.
  static let first: UInt32 = 2

  static let activeSpecification = PropertySpecification(
    name: "active", blurb: "false lets the picture through as it is, at no cost", kind: .flag,
    initial: .flag(true))
}
