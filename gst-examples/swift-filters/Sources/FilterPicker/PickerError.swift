/// The reason why the picker cannot continue, as a sentence for the user.
struct PickerError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
