import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

/// The C header for applications must match the element.
@Suite struct EnumHeaderTests {
  @Test("the C header has the names and numbers of the element's values")
  func theHeaderMatchesTheElement() throws {
    let element = unsafe try GStreamer.make("vbgfilter")
    defer { unsafe GStreamer.unref(element) }
    let path = TestFile.root + "/Sources/CVBGFilter/include/vbgfilter/vbgfilterenums.h"
    var (constants, types): ([String: Int], Int) = ([:], 0)
    for line in String(decoding: TestFile.bytes(path), as: UTF8.self).split(separator: "\n") {
      let words = line.split { " =,;}".contains($0) }.map(String.init)
      if line.contains(" = "), let number = words.last.flatMap({ Int($0) }) {
        constants[words[0]] = number
      } else if line.hasPrefix("} ") {
        #expect(try constants == Self.constants(of: words[0]))
        (constants, types) = ([:], types + 1)
      }
    }
    #expect(types == 10)
  }

  /// Returns the constants that C programs need for a type of the element.
  private static func constants(of type: String) throws -> [String: Int] {
    let list = unsafe UnsafeMutablePointer<GEnumClass>(
      OpaquePointer(try #require(g_type_class_ref(g_type_from_name(type)))))
    defer { unsafe g_type_class_unref(list) }
    let prefix = type.dropFirst("GstVBGFilter".count).reduce(into: "GST_VBG_FILTER") {
      $0 += ($1.isUppercase ? "_" : "") + $1.uppercased()
    }
    var found: [String: Int] = [:]
    for index in 0..<Int(unsafe list.pointee.n_values) {
      let value = unsafe list.pointee.values[index]
      let nick = unsafe String(cString: value.value_nick).uppercased().split(separator: "-")
      found["\(prefix)_\(nick.joined(separator: "_"))"] = unsafe Int(value.value)
    }
    return found
  }
}
