import Glibc

/// The options of the command line.
struct PickerOptions {
  static let usage = """
    filter-picker [--keys KEYS] [--with ID] [--background FILE] [--sink PIPELINE] INPUT

    INPUT is a video file, or "camera". Keys: 1 to 9 choose a filter of the list, 0 none, q quits.
    Press Return after the keys.

      --keys KEYS        presses these keys automatically, one every half second
      --with ID          a filter or analyzer that always runs, before the chosen one
      --background FILE  the picture of the filter replace-room
      --sink PIPELINE    the output, in the syntax of gst-launch-1.0 (default: the screen, or
                         nothing without a screen)
    """

  private(set) var input = ""
  private(set) var keys: [UInt8] = []
  private(set) var companion: String?
  private(set) var background: String?
  private(set) var sink: String?

  /// Parses the command line, without the program's name.
  ///
  /// - Throws: `PickerError`, if an argument is invalid or a file cannot be read.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    var inputs: [String] = []
    while let argument = rest.popFirst() {
      func value() throws -> String {
        guard let value = rest.popFirst() else { throw PickerError("\(argument): missing value") }
        return value
      }
      switch argument {
      case "--keys": keys = Array(try value().utf8)
      case "--with": companion = try value()
      case "--background": background = try value()
      case "--sink": sink = try value()
      case _ where argument.hasPrefix("--"):
        throw PickerError("unknown option \(argument); see --help")
      default: inputs.append(argument)
      }
    }
    guard inputs.count == 1 else { throw PickerError("expected one INPUT; see --help") }
    input = inputs[0]
    if input != "camera" { try Self.check(input) }
    if let background { try Self.check(background) }
  }

  /// Throws an error that names the file if it cannot be read.
  private static func check(_ path: String) throws {
    guard unsafe access(path, R_OK) == 0 else {
      let reason = unsafe strerror(errno).map { unsafe String(cString: $0) }
      throw PickerError("\(path) cannot be read: \(reason ?? "error \(errno)")")
    }
  }
}
