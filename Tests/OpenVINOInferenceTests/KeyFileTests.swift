import Matting
import Testing

@testable import OpenVINOInference

struct KeyFileTests {
  private func read(_ text: String) throws(SegmentationError) -> KeyFile {
    try KeyFile(Array(text.utf8), path: "net.modelinfo")
  }

  @Test func sectionsAndKeysInTheOrderOfTheFile() throws {
    let file = try read(
      "# a comment\r\n\r\n[modelinfo]\r\nversion = 1.0\r\n  [a:0/b c] \n key=x = y, z \n#k=1\nempty=\n[c]"
    )
    #expect(file.sections.map(\.name) == ["modelinfo", "a:0/b c", "c"])
    #expect(file.sections[0].values == ["version": "1.0"])
    #expect(file.sections[1].values == ["key": "x = y, z", "empty": ""])
    #expect(file.sections[2].values.isEmpty)
  }

  @Test(arguments: [
    ("[a]\nkey", "line 2: expected [section] or key=value, found \"key\""),
    ("key=1", "line 1: expected a section before the first key"),
    ("[a]\n=1", "line 2: expected [section] or key=value"),
    ("[a]\nb=1\n\nb=2", "line 4: duplicate key"),
    ("[a]\n[b]\n[a]", "line 3: duplicate section"),
    ("[]", "line 1: expected a section name in brackets"),
    ("[a", "line 1: expected a section name in brackets"),
    ("[a]\nk=\0", "is not UTF-8 text"),
  ])
  func wrongLines(text: String, words: String) {
    let error = errorOf { () throws(SegmentationError) in try read(text) }
    expect(error, .descriptionInvalid, "net.modelinfo", words)
  }

  @Test("rejects a file that is too large or not UTF-8")
  func rejectsInvalidOrLargeText() {
    for bytes in [[0xFF, 0xFE], [UInt8](repeating: 0x0A, count: KeyFile.limit + 1)] {
      let error = errorOf { () throws(SegmentationError) in try KeyFile(bytes, path: "x") }
      #expect(error?.kind == .descriptionInvalid)
    }
  }
}
