import InferenceTypes
import Threads

/// Objects that are made once and shared by all callers with the same key, until the last
/// lets go.
///
/// While one is made, callers that ask for it wait, and callers that ask for others do not.
final class SharedObjects<Key: Hashable & Sendable, Object: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    weak let object: Object?
    let isInTheMaking: Bool
  }

  private let entries = Monitor<[Key: Entry]>([:])

  /// The object of a key: the one that is in use and `usable`, else what `make` makes.
  func object(
    for key: Key, usable: (Object) -> Bool = { _ in true },
    make: () throws(SegmentationError) -> Object
  ) throws(SegmentationError) -> Object {
    let found = entries.wait { entries -> Object?? in
      if let entry = entries[key] {
        if entry.isInTheMaking { return nil }
        if let object = entry.object, usable(object) { return object }
      }
      entries = entries.filter { $0.value.isInTheMaking || $0.value.object != nil }
      entries[key] = Entry(object: nil, isInTheMaking: true)
      return .some(nil)
    }
    if let found { return found }
    do {
      let object = try make()
      entries.change { $0[key] = Entry(object: object, isInTheMaking: false) }
      return object
    } catch {
      // A waiting caller tries again, and gets an error of its own.
      entries.change { $0[key] = nil }
      throw error
    }
  }

  /// How many keys are remembered.
  var count: Int { entries.current.count }
}
