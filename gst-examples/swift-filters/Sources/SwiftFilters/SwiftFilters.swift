import GstVideoFilterKit

/// The filters of this package, as a GStreamer plugin.
public let plugin = Plugin(
  name: "swiftfilters", summary: "Small video filters written in Swift", license: .lgpl,
  author: "The vbgfilter authors",
  filters: [
    Grayscale.self, Sepia.self, BlurRoom.self, ReplaceRoom.self, FaceSticker.self, Attendance.self,
    LightMeter.self, LightWatch.self,
  ],
  switcher: "swiftfilter")

/// The entry point of libgstswiftfilters.so for GStreamer.
@_cdecl("gst_plugin_swiftfilters_get_desc")
public func describePlugin() -> UnsafeRawPointer { unsafe plugin.descriptor }
