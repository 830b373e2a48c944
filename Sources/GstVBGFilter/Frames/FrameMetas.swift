import CGStreamer
import GstElementSupport
import Glibc

/// Decides which metas of a frame may be sent downstream while the real background is hidden.
///
/// A meta may be sent only if it is known not to show the real background.
///
/// Used only on the streaming thread.
@safe final class FrameMetas {
  /// The content of the metas with one API type.
  private enum Content {
    /// Only numbers, text, times, or pictures that are laid over the frame.
    case known
    /// A region of interest: its parameters must be examined.
    case regions
    /// A reference timestamp: its caps must be examined.
    case referenceTime
    /// A custom meta: its fields must be examined.
    case fields
    /// Unknown content, which must not be sent.
    case unknown
  }

  /// The names of the API types with `known` content.
  private static let known: Set<String> = [
    "GstVideoMetaAPI", "GstVideoCropMetaAPI", "GstVideoTimeCodeMetaAPI", "GstVideoCaptionMetaAPI",
    "GstAncillaryMetaAPI", "GstVideoAFDMetaAPI", "GstVideoBarMetaAPI",
    "GstVideoAffineTransformationAPI", "GstVideoOverlayCompositionMetaAPI",
    "GstAnalyticsRelationMetaAPI", "GstVBGMatteMetaAPI", "GstVBGMatte-api",
  ]

  /// The contents of the API types of all metas so far.
  private var contents: [(api: GType, content: Content)] = []

  /// Returns whether all metas of a buffer may be sent.
  func maySendAll(of buffer: BufferPointer) -> Bool {
    var state: gpointer?
    while let meta = unsafe gst_buffer_iterate_meta(buffer, &state) {
      if unsafe !maySend(meta) { return false }
    }
    return true
  }

  /// Returns whether a meta may be sent.
  func maySend(_ meta: MetaPointer) -> Bool {
    guard let info = unsafe meta.pointee.info else { return false }
    switch unsafe content(of: info) {
    case .known: return true
    case .unknown: return false
    case .fields:
      let custom = unsafe UnsafeMutablePointer<GstCustomMeta>(OpaquePointer(meta))
      return unsafe gst_custom_meta_get_structure(custom).map {
        unsafe PlainData.containsOnlyPlainValues($0)
      }
        ?? false
    case .referenceTime:
      let time = unsafe UnsafeMutablePointer<GstReferenceTimestampMeta>(OpaquePointer(meta))
      return unsafe time.pointee.reference.map { unsafe PlainData.containsOnlyPlainValues($0) }
        ?? true
    case .regions:
      let region = unsafe UnsafeMutablePointer<GstVideoRegionOfInterestMeta>(OpaquePointer(meta))
      var next = unsafe region.pointee.params
      while let parameter = unsafe next {
        unsafe next = parameter.pointee.next
        guard let data = unsafe parameter.pointee.data else { continue }
        let fields = unsafe UnsafePointer(data.assumingMemoryBound(to: GstStructure.self))
        if unsafe !PlainData.containsOnlyPlainValues(fields) { return false }
      }
      return true
    }
  }

  private func content(of info: UnsafePointer<GstMetaInfo>) -> Content {
    let api = unsafe info.pointee.api
    // Use indices, because a loop over the elements allocates memory in a debug build.
    for index in contents.indices where contents[index].api == api {
      return contents[index].content
    }
    let content = unsafe Self.content(named: g_type_name(api), info)
    contents.append((api, content))
    return content
  }

  private static func content(
    named name: UnsafePointer<CChar>?, _ info: UnsafePointer<GstMetaInfo>
  ) -> Content {
    guard let name = unsafe name else { return .unknown }
    switch unsafe String(cString: name) {
    case "GstVideoRegionOfInterestMetaAPI": return .regions
    case "GstReferenceTimestampMetaAPI": return .referenceTime
    case let name where known.contains(name): return .known
    default: return unsafe gst_meta_info_is_custom(info) != 0 ? .fields : .unknown
    }
  }
}
