import CGStreamer
import CGstElement

/// The Swift object that implements an element derived from GstVideoFilter.
///
/// The GObject owns this object from `instance_init` to `finalize`, and outlives it. The vfuncs of
/// the `ElementType` call its methods. Subclasses override `setProperty` and `getProperty`.
@safe open class ElementObject {
  package final let base: BaseTransform
  package final let bus: ElementBus

  /// Creates the object of an element, which logs to `category`.
  ///
  /// Public because of a compiler error: a subclass in another module cannot call it otherwise.
  public init(_ base: BaseTransform, category: DebugCategory) {
    self.base = base
    bus = ElementBus(base, category: category)
  }

  /// Returns the Swift object of an element.
  ///
  /// Returns nil if it has another type, or if another plugin registered the element's type: each
  /// plugin contains its own copy of this code.
  ///
  /// Safety: `element` must be alive during the call.
  package static func behind(_ element: UnsafeMutablePointer<GstElement>) -> Self? {
    unsafe cgst_element_is_ours(element) == 0 ? nil : ElementObject.of(element) as? Self
  }

  /// Returns the Swift object of an element, for the vfuncs of its type.
  ///
  /// Safety: `element` must be alive during the call, and have an object of this class.
  package static func of(_ element: UnsafeMutableRawPointer) -> Self {
    let object = unsafe Unmanaged<ElementObject>.fromOpaque(cgst_element_get_object(element))
    return unsafe unsafeDowncast(object.takeUnretainedValue(), to: Self.self)
  }

  /// Sets the property with a GObject property ID, on any thread.
  ///
  /// GObject has checked the type and the range of `value`.
  open func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>) {}

  /// Copies the property with a GObject property ID into a GValue of the property's type.
  open func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>) {}
}
