import Testing

@testable import vbgfilter_bench

// One after another: a program inherits the pipes of another one that is being started.
@Suite(.serialized) struct ChildProcessTests {
  @Test func linesAreSentAndReceived() throws {
    let child = try ChildProcess(["cat"])
    child.write(line: "one")
    #expect(child.readLine() == "one")
    child.write(line: "two words")
    #expect(child.readLine() == "two words")
  }

  @Test func allThatIsPrintedIsRead() throws {
    #expect(try ChildProcess.run(["printf", "a\\n\\nb"]) == ["a", "", "b"])
  }

  @Test func aProgramThatFailsIsNoticed() {
    #expect(throws: ChildProcess.Failure.self) { try ChildProcess.run(["false"]) }
  }

  @Test func aMissingProgramIsNamed() throws {
    let failure = #expect(throws: ChildProcess.Failure.self) {
      try ChildProcess.run(["no-such-program-anywhere"])
    }
    #expect(try #require(failure).sentence.contains("no-such-program-anywhere"))
  }

  @Test func aProgramThatHasEndedDoesNotEndThisOne() throws {
    let child = try ChildProcess(["true"])
    #expect(child.readLine() == nil)
    child.write(line: "anyone there?")
    #expect(child.readLine() == nil)
  }
}
