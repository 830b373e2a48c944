import Synchronization
import TestSupport
import Threads

@testable import GstVideoFilterKit

/// A filter that fills the luma.
///
/// A gate blocks its set-up.
struct HeldSetUp: VideoFilter {
  /// Statistics of all values of this type.
  struct Record {
    /// The widths of the streams for which a set-up has begun.
    var begun: [Int] = []
    /// The number of values that are set up.
    var live = 0
    var tearDowns = 0
    /// The number of times that two threads used a value at once.
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

  /// Counts the threads that use a value at the same time.
  private final class Use: Sendable {
    private let users = Atomic(0)

    func begin() {
      guard users.add(1, ordering: .relaxed).oldValue > 0 else { return }
      HeldSetUp.record.change { $0.clashes += 1 }
    }

    func end() { users.subtract(1, ordering: .relaxed) }
  }
}
