import CGStreamer
import CGstElement
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
    vfuncs: vfuncs,
    caps: (
      caps(PixelFormat.allCases.filter(\.isInput)), caps(PixelFormat.allCases)
    ),
    properties: Settings.table.specifications + Statistics.table.specifications
      + PublishedState.table.specifications,
    make: { VBGFilterElement($0) })

  /// The vfuncs that the element overrides.
  private static var vfuncs: CGstElementFunctions {
    var vfuncs = CGstElementFunctions()
    vfuncs.has_presets = 1
    unsafe vfuncs.change_state = { unsafe object($0).changeState($1) }
    unsafe vfuncs.start = { unsafe object($0).start() ? 1 : 0 }
    unsafe vfuncs.stop = { element in
      unsafe object(element).stop()
      return 1
    }
    unsafe vfuncs.transform_caps = { unsafe object($0).transformCaps($2, of: $1, filter: $3) }
    unsafe vfuncs.fixate_caps = { unsafe object($0).fixateCaps($2, of: $1, other: $3) }
    unsafe vfuncs.set_caps = { unsafe object($0).setCaps(input: $1, output: $2) ? 1 : 0 }
    unsafe vfuncs.set_info = { element, _, input, _, output in
      unsafe object(element).stream?.setInfo(input, output: output) == true ? 1 : 0
    }
    unsafe vfuncs.sink_event = { unsafe object($0).sinkEvent($1) ? 1 : 0 }
    unsafe vfuncs.src_event = { unsafe object($0).sourceEvent($1) ? 1 : 0 }
    unsafe vfuncs.query = { unsafe object($0).query($2, from: $1) ? 1 : 0 }
    // The base class calls these only from start to stop.
    unsafe vfuncs.submit_input_buffer = { element, isDiscontinuous, buffer in
      guard let stream = unsafe object(element).stream else {
        unsafe unref(buffer)
        return GST_FLOW_FLUSHING
      }
      return unsafe stream.submitInputBuffer(buffer, isDiscontinuous: isDiscontinuous != 0)
    }
    unsafe vfuncs.generate_output = {
      unsafe object($0).stream?.generateOutput($1) ?? GST_FLOW_FLUSHING
    }
    unsafe vfuncs.transform_meta = {
      unsafe object($0).stream?.transformMeta($2, of: $3) == true ? 1 : 0
    }
    // The base class checks whether these exist, but `generateOutput` does their work.
    unsafe vfuncs.transform = { _, _, _ in GST_FLOW_NOT_SUPPORTED }
    unsafe vfuncs.transform_ip = { _, _ in GST_FLOW_NOT_SUPPORTED }
    return vfuncs
  }

  static let debugCategory = DebugCategory("vbgfilter", "virtual background")

  private static func caps(_ formats: [PixelFormat]) -> String {
    let names = formats.map(\.rawValue).joined(separator: ", ")
    let sizes = "(int) [ \(FrameFormat.sizes.lowerBound), \(FrameFormat.sizes.upperBound) ]"
    return "video/x-raw, format = (string) { \(names) }, width = \(sizes), height = \(sizes), "
      + "framerate = (fraction) [ 0/1, 2147483647/1 ]"
  }
}

private func object(_ element: UnsafeMutableRawPointer) -> VBGFilterElement {
  unsafe VBGFilterElement.of(element)
}
