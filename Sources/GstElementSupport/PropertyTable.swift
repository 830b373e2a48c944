import CGStreamer

/// The properties of a type of elements; GObject knows each by its place, counted from 1.
package struct PropertyTable<Settings: DefaultInitializable>: Sendable {
  private let properties: [Property<Settings>]

  package init(_ properties: [Property<Settings>]) {
    self.properties = properties
  }

  /// What GObject is told, in the order of the numbers.
  package var specifications: [PropertySpecification] { properties.map(\.specification) }

  /// The number that GObject knows the next property by, after all of the table.
  package var nextID: UInt32 { UInt32(properties.count + 1) }

  /// Takes over the value of a property; one of another table is left alone.
  ///
  /// `withLock` is called with a function for the settings, at most once; what takes long is done
  /// before.
  ///
  /// Safety: `value` is valid during the call and of the property's type.
  package func set(
    _ id: UInt32, to value: UnsafePointer<GValue>, withLock: Property<Settings>.Lock
  ) {
    guard let property = property(id) else { return }
    var taken = property.specification.initial
    if unsafe taken.take(value) { property.write(taken, withLock) }
  }

  /// Writes the value of a property into a GValue of its type; one of another table is left alone.
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
