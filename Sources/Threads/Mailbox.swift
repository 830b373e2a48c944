/// One kind of thing that is loaded: the newest request, and its answer once there is one.
package struct Mailbox<Request: Equatable & Sendable, Product: Sendable>: Sendable {
  /// What is wanted at present.
  package private(set) var wanted: Request?
  /// Whether the loading thread has taken the request up.
  private var isTaken = false
  private var answer: Product?

  /// Makes an empty one.
  package init() {}

  private init(wanted: Request) {
    self.wanted = wanted
  }

  /// Puts a request in, in place of an older one.
  package mutating func ask(for request: Request) {
    self = Mailbox(wanted: request)
  }

  /// Withdraws the request and forgets its answer.
  package mutating func cancel() {
    self = Mailbox()
  }

  /// Takes the pending request, if any.
  package mutating func takeRequest() -> Request? {
    guard !isTaken, let wanted else { return nil }
    isTaken = true
    return wanted
  }

  /// Puts the answer to a request in; it is dropped when something else is wanted by now.
  package mutating func put(_ product: Product, for request: Request) {
    guard wanted == request else { return }
    isTaken = true
    answer = product
  }

  /// The answer, once it is there; the mailbox is empty after that.
  package mutating func takeAnswer() -> Product? {
    guard let answer else { return nil }
    self = Mailbox()
    return answer
  }
}
