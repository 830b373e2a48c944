import Testing

@testable import Threads

@Suite struct MailboxTests {
  @Test func aRequestIsTakenOnceAndAnswered() {
    var box = Mailbox<String, Int>()
    #expect(box.consumeRequest() == nil)
    box.ask(for: "a")
    #expect(box.consumeRequest() == "a")
    #expect(box.consumeRequest() == nil)
    #expect(box.consumeAnswer() == nil)
    box.put(1, for: "a")
    #expect(box.consumeAnswer() == 1)
    #expect(box.consumeAnswer() == nil)
    #expect(box.wanted == nil)
  }

  @Test func theAnswerToAnOlderRequestIsDropped() {
    var box = Mailbox<String, Int>()
    box.ask(for: "a")
    _ = box.consumeRequest()
    box.ask(for: "b")
    box.put(1, for: "a")
    #expect(box.consumeAnswer() == nil)
    #expect(box.consumeRequest() == "b")
    box.put(2, for: "b")
    #expect(box.consumeAnswer() == 2)
  }

  /// Reuses the work that began for the same request before it was withdrawn.
  @Test func anAnswerToARepeatedRequestIsUsed() {
    var box = Mailbox<String, Int>()
    box.ask(for: "a")
    _ = box.consumeRequest()
    box.ask(for: "b")
    box.ask(for: "a")
    box.put(1, for: "a")
    #expect(box.consumeRequest() == nil)
    #expect(box.consumeAnswer() == 1)
  }

  @Test("drops the answer to a withdrawn request")
  func dropsAnswerToWithdrawnRequest() {
    var box = Mailbox<String, Int>()
    box.ask(for: "a")
    _ = box.consumeRequest()
    box.cancel()
    box.put(1, for: "a")
    #expect(box.consumeAnswer() == nil)
    #expect(box.consumeRequest() == nil)
  }
}
