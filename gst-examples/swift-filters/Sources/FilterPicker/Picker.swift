import Glibc

/// Chooses filters when the user presses keys, and prints the results of analyzers.
final class Picker {
  /// The minimum interval between printed results of an analyzer, which may post one for each
  /// frame.
  private static let resultInterval = Duration.milliseconds(500)
  private static let keyInterval = Duration.milliseconds(500)

  private let player: Player
  private let companion: String?
  private var keys: ArraySlice<UInt8>
  private let clock = ContinuousClock()
  private var nextKey: ContinuousClock.Instant
  private var nextResults: [String: ContinuousClock.Instant] = [:]
  private var hasKeyboard = true
  private var isOver = false
  /// Whether the list of keys was printed since the last Return.
  ///
  /// It is printed only once for a line with several wrong keys.
  private var hasPrintedKeys = false
  /// The title of the choice that was printed last.
  private var printed: String?
  /// The text that the video shows.
  private var label = ""

  init(_ player: Player, _ options: PickerOptions) {
    self.player = player
    companion = options.companion
    keys = options.keys[...]
    nextKey = clock.now + Self.keyInterval
  }

  /// Plays until the video ends or the user quits.
  ///
  /// - Throws: `PickerError`, when the pipeline fails.
  func run() throws {
    say(" 0  none")
    for (number, filter) in player.filters.enumerated() {
      say(" \(number + 1)  \(filter.id): \(filter.name)")
    }
    choose(nil)
    player.play()
    while !isOver {
      switch player.nextEvent() {
      case .end: isOver = true
      case .failure(let text): throw PickerError(text)
      case .warning(let text):
        complain(text)
        // If a filter cannot be set up, the element chooses the previous filter again.
        printChoice()
      case .result(let id, let text): printResult(id, text)
      case nil: break
      }
      updateLabel()
      if let key = typedKey() { press(key) }
      if clock.now >= nextKey, let key = keys.popFirst() {
        nextKey += Self.keyInterval
        press(key)
      }
    }
  }

  private func press(_ key: UInt8) {
    switch key {
    case UInt8(ascii: "q"): isOver = true
    case UInt8(ascii: "0"): choose(nil)
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      let index = Int(key - UInt8(ascii: "1"))
      if player.filters.indices.contains(index) {
        choose(player.filters[index])
      } else {
        say("there is no filter \(index + 1)")
      }
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): hasPrintedKeys = false
    default:
      guard !hasPrintedKeys else { return }
      hasPrintedKeys = true
      say("the keys are 1 to \(min(player.filters.count, 9)) for a filter, 0 for none, q to quit")
    }
  }

  private func choose(_ filter: Player.ListedFilter?) {
    let ids = [companion, filter?.id == companion ? nil : filter?.id].compactMap { $0 }
    player.choose(ids)
    printChoice()
  }

  /// Prints the chosen filter if it has changed.
  private func printChoice() {
    let title = title(of: player.chosen)
    guard title != printed else { return }
    printed = title
    say("filter: \(title.isEmpty ? "none" : title)")
  }

  /// Shows the names of the filters in use on the video.
  ///
  /// A chosen filter may not be in use yet. The user must not believe that the background is
  /// already hidden.
  private func updateLabel() {
    let title = title(of: player.current)
    guard title != label else { return }
    label = title
    player.show(title)
  }

  private func title(of filters: [Player.ListedFilter]) -> String {
    filters.filter { $0.id != companion }.map(\.name).joined(separator: ", ")
  }

  private func printResult(_ id: String, _ text: String) {
    let now = clock.now
    if let next = nextResults[id], now < next { return }
    nextResults[id] = now + Self.resultInterval
    say("\(id): \(text)")
  }

  /// Returns the next typed key, or nil if no key was typed.
  private func typedKey() -> UInt8? {
    guard hasKeyboard else { return nil }
    var keyboard = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&keyboard, 1, 0) > 0 else { return nil }
    var key: UInt8 = 0
    // At the end of standard input there are no more keys.
    hasKeyboard = unsafe read(STDIN_FILENO, &key, 1) == 1
    return hasKeyboard ? key : nil
  }

  /// Prints a line and flushes the output, which is buffered if it is a pipe.
  private func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
