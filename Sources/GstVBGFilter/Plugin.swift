import CGStreamer
import CVBGFilter
import GstElementSupport
import PixelTypes

/// Registers the plugin's features when GStreamer loads the plugin.
///
/// The plugin's descriptor refers to this function. The descriptor is defined in C, because
/// GST_PLUGIN_DEFINE is a C macro.
@_cdecl("vbg_plugin_init")
func initializePlugin(_ plugin: OpaquePointer) -> gboolean {
  vbg_matte_meta_register()
  // Create the category now, so that it is listed before an element exists.
  _ = VBGFilterElement.debugCategory
  let type = VBGFilterElement.type
  return unsafe type.register() && type.register(in: plugin, as: "vbgfilter") ? 1 : 0
}

extension VBGFilterElement {
  /// The GType of the element.
  static let type = ElementType(
    name: "GstVBGFilter",
    description: (
      "Virtual background", "Filter/Effect/Video",
      "Hides the room behind a person: blurs it or puts an image, a video or a colour in its place"
    ), author: "The vbgfilter authors",
    // `transform` and `transformInPlace` keep their default implementations. The base class checks
    // whether they exist, but `generateOutput` does their work.
    vfuncs: [
      .changeState, .transformCaps, .fixateCaps, .setCaps, .sinkEvent, .sourceEvent,
      .query, .submitInputBuffer, .generateOutput, .transformMeta, .transform, .transformInPlace,
      .presets,
    ],
    caps: (
      caps(PixelFormat.allCases.filter(\.isInput)), caps(PixelFormat.allCases)
    ),
    properties: Settings.table.specifications + Statistics.table.specifications
      + PublishedState.table.specifications,
    make: { VBGFilterElement($0) })

  static let debugCategory = DebugCategory("vbgfilter", "virtual background")

  private static func caps(_ formats: [PixelFormat]) -> String {
    let names = formats.map(\.rawValue).joined(separator: ", ")
    let sizes = "(int) [ \(FrameFormat.sizes.lowerBound), \(FrameFormat.sizes.upperBound) ]"
    return "video/x-raw, format = (string) { \(names) }, width = \(sizes), height = \(sizes), "
      + "framerate = (fraction) [ 0/1, 2147483647/1 ]"
  }
}
