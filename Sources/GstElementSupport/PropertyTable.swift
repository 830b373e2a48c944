import CGStreamer

/// The properties of a type of elements; their numbers in GObject are their indices plus 1.
package struct PropertyTable<Settings: DefaultInitializable>: Sendable {
  private let properties: [Property<Settings>]

  package init(_ properties: [Property<Settings>]) {
    self.properties = properties
  }

  /// The specifications, in the order of the numbers.
  package var specifications: [PropertySpecification] { properties.map(\.specification) }

  /// The number of the first property after the table.
  package var nextID: UInt32 { UInt32(properties.count + 1) }

  /// Sets a property; does nothing for a number that is not in the table.
  ///
  /// Calls `withLock` at most once, after parsing the value.
  ///
  /// Safety: `value` is valid during the call and of the property's type.
  package func set(
    _ id: UInt32, to value: UnsafePointer<GValue>, withLock: Property<Settings>.Lock
  ) {
    guard let property = property(id) else { return }
    var taken = property.specification.initial
    if unsafe taken.take(value) { property.write(taken, withLock) }
  }

  /// Gets a property into a GValue of its type; does nothing for a number that is not in the table.
  ///
  /// Safety: `value` is valid during the call.
  package func get(
    _ id: UInt32, of settings: Settings, into value: UnsafeMutablePointer<GValue>
  ) {
    if let property = property(id) { unsafe property.read(settings).put(into: value) }
  }

  private func property(_ id: UInt32) -> Property<Settings>? {
    let index = Int(id) - 1
    return properties.indices.contains(index) ? properties[index] : nil
  }
}
