import Testing

@testable import Threads

@Suite struct MailboxTests {
  @Test func aRequestIsTakenUpOnceAndAnswered() {
    var box = Mailbox<String, Int>()
    #expect(box.takeRequest() == nil)
    box.ask(for: "a")
    #expect(box.takeRequest() == "a")
    #expect(box.takeRequest() == nil)
    #expect(box.takeAnswer() == nil)
    box.put(1, for: "a")
    #expect(box.takeAnswer() == 1)
    #expect(box.takeAnswer() == nil)
    #expect(box.wanted == nil)
  }

  @Test func theAnswerToAnOlderRequestIsDropped() {
    var box = Mailbox<String, Int>()
    box.ask(for: "a")
    _ = box.takeRequest()
    box.ask(for: "b")
    box.put(1, for: "a")
    #expect(box.takeAnswer() == nil)
    #expect(box.takeRequest() == "b")
    box.put(2, for: "b")
    #expect(box.takeAnswer() == 2)
  }

  /// What was begun for the same request before it was withdrawn serves as well.
  @Test func anAnswerThatIsWantedAgainIsTaken() {
    var box = Mailbox<String, Int>()
    box.ask(for: "a")
    _ = box.takeRequest()
    box.ask(for: "b")
    box.ask(for: "a")
    box.put(1, for: "a")
    #expect(box.takeRequest() == nil)
    #expect(box.takeAnswer() == 1)
  }

  @Test func whatIsWithdrawnIsNotAnswered() {
    var box = Mailbox<String, Int>()
    box.ask(for: "a")
    _ = box.takeRequest()
    box.cancel()
    box.put(1, for: "a")
    #expect(box.takeAnswer() == nil)
    #expect(box.takeRequest() == nil)
  }
}
