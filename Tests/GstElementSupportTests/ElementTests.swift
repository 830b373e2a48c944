import CGStreamer
import CGstElement
import GstElementSupport
import Testing

/// Overridden vfuncs call the object, and all others call the base class.
@Suite struct ElementTests {
  @Test func withoutTransformsFramesPass() throws {
    let element = try TestElement(Dimmer.plain)
    #expect(try element.push() == (GST_FLOW_OK, 1))
    #expect(element.dimmer?.frames == 0)
  }

  @Test func framesAreTransformedInPlace() throws {
    let element = try TestElement(Dimmer.inPlace)
    for _ in 0..<3 { #expect(try element.push() == (GST_FLOW_OK, 1)) }
    #expect(element.dimmer?.frames == 3)
    #expect(element.dimmer?.expected == 3)
  }

  @Test("sends no buffer if the transform drops it")
  func dropsBuffer() throws {
    let element = try TestElement(Dimmer.inPlace)
    element.dimmer?.flow = CGST_FLOW_DROPPED
    #expect(try element.push() == (GST_FLOW_OK, 0))
  }

  @Test(arguments: [false, true])
  func passedFramesAreSeenOnRequest(_ sees: Bool) throws {
    let element = try TestElement(sees ? Dimmer.watcher : Dimmer.inPlace)
    _ = try element.push()
    element.dimmer?.base.isPassthrough = true
    #expect(try element.push() == (GST_FLOW_OK, 1))
    #expect(element.dimmer?.frames == (sees ? 2 : 1))
  }

  @Test func theObjectIsReleasedWithTheElement() throws {
    weak var dimmer: Dimmer?
    do {
      let element = try TestElement(Dimmer.inPlace)
      dimmer = element.dimmer
      #expect(dimmer != nil)
      _ = try element.push()
    }
    #expect(dimmer == nil)
  }

  @Test func foreignElementsHaveNoObject() throws {
    _ = try TestElement(Dimmer.plain)
    let other = unsafe try #require(gst_element_factory_make("identity", nil))
    defer { unsafe gst_object_unref(other) }
    unsafe #expect(ElementObject.behind(other) == nil)
  }

  @Test func aTakenNameIsRefused() throws {
    _ = try TestElement(Dimmer.plain)
    let type = ElementType(
      name: "GstTestPlainDimmer", description: ("", "", ""), author: "",
      vfuncs: CGstElementFunctions(),
      caps: ("ANY", "ANY"), properties: [], make: { Dimmer($0) })
    #expect(!type.register())
    #expect(Dimmer.plain.register())
  }
}
