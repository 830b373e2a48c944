import CSwiftFilters
import Glibc
import SwiftFilters

/// Picks a filter for a camera's video, or a file's, by keys, while it plays.
@main struct FilterPicker {
  static func main() {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.contains("--help") { return print(Options.usage) }
      let options = try Options(arguments)
      gst_init(nil, nil)
      // The filters are in this program: there is no plugin file to be found.
      guard plugin.register() else { throw Mistake("the filters could not be registered") }
      let player = try Player(options)
      try Picker(player, options).run()
    } catch {
      complain("\(error)")
      exit(1)
    }
  }
}

/// Tells the user about trouble.
func complain(_ sentence: String) {
  let line = Array("filter-picker: \(sentence)\n".utf8)
  // If nobody can be told, nobody is.
  _ = unsafe write(STDERR_FILENO, line, line.count)
}

/// What is wrong, in a sentence for the user.
struct Mistake: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
