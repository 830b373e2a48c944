import Glibc

/// Answers keys by choosing filters, and prints what the analyzers find.
final class Picker {
  /// Results of an analyzer may come with each frame: those in between are left out.
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
  /// Whether the keys have been told since the last Return: one line of wrong keys is one mistake.
  private var hasToldKeys = false
  private var printed: String?
  private var shown = ""

  init(_ player: Player, _ options: Options) {
    self.player = player
    companion = options.companion
    keys = options.keys[...]
    nextKey = clock.now + Self.keyInterval
  }

  /// Plays until the end of the video, or until the user has enough.
  ///
  /// - Throws: `Mistake`, when the video breaks off.
  func run() throws {
    say(" 0  none")
    for (number, filter) in player.filters.enumerated() {
      say(" \(number + 1)  \(filter.id): \(filter.name)")
    }
    choose(nil)
    player.play()
    while !isOver {
      switch player.nextNews() {
      case .end: isOver = true
      case .failure(let text): throw Mistake(text)
      case .warning(let text):
        complain(text)
        // A filter that could not be set up has left its place to the one before.
        printChoice()
      case .result(let id, let text): tell(id, text)
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
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): hasToldKeys = false
    default:
      guard !hasToldKeys else { return }
      hasToldKeys = true
      say("the keys are 1 to \(min(player.filters.count, 9)) for a filter, 0 for none, q to quit")
    }
  }

  private func choose(_ filter: Player.Filter?) {
    let ids = [companion, filter?.id == companion ? nil : filter?.id].compactMap { $0 }
    player.choose(ids)
    printChoice()
  }

  /// Prints the chosen filter, unless it was the last to be printed.
  private func printChoice() {
    let title = title(of: player.chosen)
    guard title != printed else { return }
    printed = title
    say("filter: \(title.isEmpty ? "none" : title)")
  }

  /// Writes on the picture what is at work: nobody is to think that the room is hidden before it is.
  private func updateLabel() {
    let title = title(of: player.current)
    guard title != shown else { return }
    shown = title
    player.show(title)
  }

  private func title(of filters: [Player.Filter]) -> String {
    filters.filter { $0.id != companion }.map(\.name).joined(separator: ", ")
  }

  private func tell(_ id: String, _ text: String) {
    let now = clock.now
    if let next = nextResults[id], now < next { return }
    nextResults[id] = now + Self.resultInterval
    say("\(id): \(text)")
  }

  /// The key that was pressed last; nil when there is none.
  private func typedKey() -> UInt8? {
    guard hasKeyboard else { return nil }
    var keyboard = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&keyboard, 1, 0) > 0 else { return nil }
    var key: UInt8 = 0
    // Nobody is at the keyboard.
    hasKeyboard = unsafe read(STDIN_FILENO, &key, 1) == 1
    return hasKeyboard ? key : nil
  }

  /// Prints a line at once, also where nobody reads along.
  private func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
