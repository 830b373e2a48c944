import CGStreamer

/// Properties of an element type, with consecutive GObject property IDs.
///
/// `Owner` holds the values. If several owners hold the properties of an element, it has a table
/// for each owner.
package struct PropertyTable<Owner>: Sendable {
  private let properties: [Property<Owner>]
  private let firstID: UInt32
  /// The specifications, in the order of the property IDs.
  package let specifications: [PropertySpecification]

  /// Creates a table.
  ///
  /// `defaults` contains the default values. `firstID` is the ID of the first property.
  package init(_ properties: [Property<Owner>], defaults: Owner, firstID: UInt32 = 1) {
    self.properties = properties
    self.firstID = firstID
    specifications = properties.map { property in
      var specification = property.specification
      specification.initial = property.read(defaults)
      return specification
    }
  }

  /// The ID that follows the last property of the table.
  package var nextID: UInt32 { firstID + UInt32(properties.count) }

  /// Sets the property with an ID.
  ///
  /// Does nothing if the table does not contain the ID, if the value is NaN, or if the property
  /// does not allow the value. Parses the value first, then calls `withLock` at most once.
  ///
  /// Safety: `value` must be valid during the call and have the property's type.
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

  /// Copies the property with an ID from `owner` into `value`.
  ///
  /// Returns whether the table contains the ID.
  ///
  /// Safety: `value` must be valid during the call and have the property's type.
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
