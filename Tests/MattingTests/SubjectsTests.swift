import Matting
import Testing

struct SubjectsTests {
  @Test(arguments: [
    ("", ["person"]), (" , ,", ["person"]), ("person", ["person"]), ("dog", ["dog"]),
    (" Dog ,person,\tCAT\n", ["dog", "person", "cat"]), ("dog,dog, DOG", ["dog"]),
    ("potted plant,,tvmonitor", ["potted plant", "tvmonitor"]),
  ])
  func theListIsSplitIntoNames(list: String, names: [String]) {
    #expect(Subjects(list).names == names)
  }

  @Test func aPersonAloneIsTheDefault() {
    #expect(Subjects().isPerson && Subjects(" Person").isPerson)
    #expect(!Subjects("person,dog").isPerson)
  }
}
