import GstVideoFilterKit

let plugin = Plugin(
  name: "myfilters", summary: "My video filters", license: .mit, filters: [Tint.self])

/// The entry point of libgstmyfilters.so for GStreamer.
@_cdecl("gst_plugin_myfilters_get_desc")
public func describePlugin() -> UnsafeRawPointer { unsafe plugin.descriptor }
