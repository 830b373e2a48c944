import Matting
import Threads

/// Objects that are created once and shared by all callers with the same key.
///
/// An object lives until its last user releases it. While an object is being created, only callers
/// with the same key wait.
final class SharedObjects<Key: Hashable & Sendable, Object: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    weak let object: Object?
    let isBeingCreated: Bool
  }

  private let entries = Monitor<[Key: Entry]>([:])

  /// Returns the existing object of a key if it is `usable`, or else creates one with `make`.
  func object(
    for key: Key, usable: (Object) -> Bool = { _ in true },
    make: () throws(SegmentationError) -> Object
  ) throws(SegmentationError) -> Object {
    let found = entries.wait { entries -> Object?? in
      if let entry = entries[key] {
        if entry.isBeingCreated { return nil }
        if let object = entry.object, usable(object) { return object }
      }
      entries = entries.filter { $0.value.isBeingCreated || $0.value.object != nil }
      entries[key] = Entry(object: nil, isBeingCreated: true)
      return .some(nil)
    }
    if let found { return found }
    do {
      let object = try make()
      entries.change { $0[key] = Entry(object: object, isBeingCreated: false) }
      return object
    } catch {
      // A waiting caller will then try again, and get its own error.
      entries.change { $0[key] = nil }
      throw error
    }
  }

  var count: Int { entries.current.count }
}
