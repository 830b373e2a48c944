import CSwiftFilters
import Glibc
import SwiftFilters

/// Plays a camera or a file through filters that the user chooses with keys.
@main struct FilterPicker {
  static func main() {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.contains("--help") { return print(PickerOptions.usage) }
      let options = try PickerOptions(arguments)
      gst_init(nil, nil)
      // The filters are linked into this program, so there is no plugin file.
      guard plugin.register() else { throw PickerError("the filters could not be registered") }
      let player = try Player(options)
      try Picker(player, options).run()
    } catch {
      complain("\(error)")
      exit(1)
    }
  }
}

/// Prints an error or a warning for the user.
func complain(_ sentence: String) {
  let line = Array("filter-picker: \(sentence)\n".utf8)
  // If the standard error is closed, the message is lost.
  _ = unsafe write(STDERR_FILENO, line, line.count)
}
