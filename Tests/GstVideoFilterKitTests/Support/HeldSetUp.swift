import Synchronization
import TestSupport
import Threads

@testable import GstVideoFilterKit

/// Paints the luma; is held up at a gate while it is set up.
struct HeldSetUp: VideoFilter {
  /// What its values went through.
  struct Record {
    /// The columns of the streams that one began to be set up for.
    var begun: [Int] = []
    /// Those that are set up.
    var live = 0
    /// How often one was torn down.
    var tearDowns = 0
    /// How often a value was used by two threads at a time.
    var clashes = 0
  }

  static let id = "kit-held", name = "Held up"
  static let properties: [FilterProperty<Self>] = [
    .integer("level", \.level, in: 0...255, "The luma"),
    .flag("refused", \.isRefused, "Whether it cannot be set up"),
  ]
  static let gate = Gate()
  static let record = Monitor(Record())

  var level = 7
  var isRefused = false
  private var isSetUp = false
  private let use = Use()

  mutating func setUp(for stream: VideoStream) throws {
    use.begin()
    defer { use.end() }
    Self.record.change { $0.begun.append(stream.width) }
    Self.gate.pass()
    if isRefused { throw TestError(text: "refused") }
    Self.record.change { $0.live += 1 }
    isSetUp = true
  }

  mutating func tearDown() {
    use.begin()
    defer { use.end() }
    let wasSetUp = isSetUp
    isSetUp = false
    Self.record.change { record in
      record.tearDowns += 1
      if wasSetUp { record.live -= 1 }
    }
  }

  func process(_ frame: inout VideoFrame) throws {
    use.begin()
    defer { use.end() }
    let level = UInt8(clamping: level)
    frame.luma.fill(level)
  }

  /// Notes how many threads use a value.
  private final class Use: Sendable {
    private let users = Atomic(0)

    func begin() {
      guard users.add(1, ordering: .relaxed).oldValue > 0 else { return }
      HeldSetUp.record.change { $0.clashes += 1 }
    }

    func end() { users.subtract(1, ordering: .relaxed) }
  }
}
