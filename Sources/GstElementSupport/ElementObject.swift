import CGStreamer

/// The Swift object that implements an element derived from GstVideoFilter.
///
/// The GObject owns this object from `instance_init` to `finalize`, and outlives it. The vfuncs of
/// the `ElementType` call its methods.
package protocol ElementObject: AnyObject {
  /// Sets the property with a GObject property ID, on any thread.
  ///
  /// GObject has checked the type and the range of `value`.
  func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>)
  /// Copies the property with a GObject property ID into a GValue of the property's type.
  func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>)
}

/// Wraps an element's Swift object, because an existential does not fit into a C pointer.
final class ObjectHolder {
  let object: any ElementObject

  init(_ object: any ElementObject) {
    self.object = object
  }
}
