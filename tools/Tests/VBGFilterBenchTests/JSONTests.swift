import Testing

@testable import vbgfilter_bench

@Suite struct JSONTests {
  @Test func membersKeepTheirOrder() {
    let json: JSON = ["b": .number(1), "a": .array([.string("x"), .number(0.5)])]
    #expect(
      json.text == """
        {
          "b": 1,
          "a": [
            "x",
            0.5
          ]
        }
        """)
  }

  @Test func emptyContainersStayOnOneLine() {
    #expect(JSON.array([]).text == "[]")
    #expect(JSON.object([]).text == "{}")
  }

  @Test func specialCharactersAreEscaped() {
    #expect(JSON.string("a\"b\\c\n\u{1}é").text == #""a\"b\\c\u000a\u0001é""#)
  }

  @Test(arguments: [
    (1e15, "1000000000000000"), (-2.5, "-2.5"), (1e300, "1e+300"), (Double.nan, "null"),
    (Double.infinity, "null"),
  ])
  func numbers(value: Double, text: String) {
    #expect(JSON.number(value).text == text)
  }
}
