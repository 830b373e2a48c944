/// Why the picker cannot start or go on, in a sentence for the user.
struct PickerError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
