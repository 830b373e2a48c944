import CGStreamer

/// Properties of a type of elements, with consecutive numbers in GObject.
///
/// If the properties of an element belong to several owners, it has a table for each owner.
package struct PropertyTable<Owner>: Sendable {
  private let properties: [Property<Owner>]
  private let firstID: UInt32
  /// The specifications, in the order of the numbers.
  package let specifications: [PropertySpecification]

  /// Makes a table.
  ///
  /// `defaults` has the defaults, and `firstID` is the number of the first property.
  package init(_ properties: [Property<Owner>], defaults: Owner, firstID: UInt32 = 1) {
    self.properties = properties
    self.firstID = firstID
    specifications = properties.map { property in
      var specification = property.specification
      specification.initial = property.read(defaults)
      return specification
    }
  }

  /// The number of the first property after the table.
  package var nextID: UInt32 { firstID + UInt32(properties.count) }

  /// Sets a property.
  ///
  /// Does nothing for a number that is not in the table, and for NaN.
  ///
  /// Calls `withLock` at most once, after parsing the value.
  ///
  /// Safety: `value` is valid during the call and of the property's type.
  package func set(
    _ id: UInt32, to value: UnsafePointer<GValue>,
    withLock: (_ change: (inout Owner) -> Void) -> Void
  ) {
    guard let index = index(id) else { return }
    let (property, initial) = (properties[index], specifications[index].initial)
    var taken = initial
    guard unsafe taken.take(value) else { return }
    if property.emptyIsDefault, taken == .text("") || taken == .text(nil) { taken = initial }
    if let change = property.change(taken) { withLock(change) }
  }

  /// Gets a property into a GValue of its type.
  ///
  /// Returns false for a number that is not in the table.
  ///
  /// Safety: `value` is valid during the call.
  package func get(
    _ id: UInt32, of owner: Owner, into value: UnsafeMutablePointer<GValue>
  ) -> Bool {
    guard let index = index(id) else { return false }
    if let structure = properties[index].makeStructure?(owner) {
      // The value takes ownership of the structure.
      unsafe g_value_take_boxed(value, structure.take())
    } else {
      unsafe properties[index].read(owner).put(into: value)
    }
    return true
  }

  private func index(_ id: UInt32) -> Int? {
    let index = Int(id) - Int(firstID)
    return properties.indices.contains(index) ? index : nil
  }
}
