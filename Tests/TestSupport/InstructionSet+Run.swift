import Processor
import Threads

extension InstructionSet {
  /// The instruction set of the calls of `run` in progress, and their number.
  private static let running = Monitor((set: InstructionSet.current, count: 0))

  /// Runs `body` while this is the current instruction set.
  ///
  /// Tests run side by side, so this waits until other instruction sets are no longer used.
  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.running.wait { running -> Void? in
      guard running.count == 0 || running.set == self else { return nil }
      running = (self, running.count + 1)
      InstructionSet.current = self
      return ()
    }
    defer { Self.running.change { $0.count -= 1 } }
    return try body()
  }
}
