/// The newest request of a loader, and its answer when ready.
package struct Mailbox<Request: Equatable & Sendable, Product: Sendable>: Sendable {
  package private(set) var wanted: Request?
  /// Whether the loading thread has taken the request.
  private var isTaken = false
  private var answer: Product?

  package init() {}

  /// Replaces the request and drops the old answer.
  package mutating func ask(for request: Request) {
    self = Mailbox()
    wanted = request
  }

  package mutating func cancel() { self = Mailbox() }

  /// Takes the pending request, if any.
  package mutating func consumeRequest() -> Request? {
    guard !isTaken, let wanted else { return nil }
    isTaken = true
    return wanted
  }

  /// Stores the answer to `request`, or drops it if the current request is different.
  package mutating func put(_ product: Product, for request: Request) {
    guard wanted == request else { return }
    isTaken = true
    answer = product
  }

  /// Takes the answer, if ready, which empties the mailbox.
  package mutating func consumeAnswer() -> Product? {
    guard let answer else { return nil }
    self = Mailbox()
    return answer
  }
}
