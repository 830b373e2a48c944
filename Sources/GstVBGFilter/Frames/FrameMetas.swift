import CGStreamer
import GstElementSupport
import Glibc

/// Decides which metas of a frame may go out with it while the room is hidden.
///
/// Only metas that are known to hold no picture of the room may go out.
///
/// Used only on the streaming thread.
@safe final class FrameMetas {
  /// The content of the metas of an API.
  private enum Content {
    /// Numbers, text, times, or pictures that are laid over the frame.
    case known
    case regions
    case referenceTime
    /// Fields that some element chose.
    case fields
    case unknown
  }

  private static let known: Set<String> = [
    "GstVideoMetaAPI", "GstVideoCropMetaAPI", "GstVideoTimeCodeMetaAPI", "GstVideoCaptionMetaAPI",
    "GstAncillaryMetaAPI", "GstVideoAFDMetaAPI", "GstVideoBarMetaAPI",
    "GstVideoAffineTransformationAPI", "GstVideoOverlayCompositionMetaAPI",
    "GstAnalyticsRelationMetaAPI", "GstVBGMatteMetaAPI", "GstVBGMatte-api",
  ]

  /// The known contents of the APIs seen so far.
  private var contents: [(api: GType, content: Content)] = []

  /// Whether all metas of a buffer may go out.
  func maySendAll(of buffer: BufferPointer) -> Bool {
    var state: gpointer?
    while let meta = unsafe gst_buffer_iterate_meta(buffer, &state) {
      if unsafe !maySend(meta) { return false }
    }
    return true
  }

  /// Whether a meta may go out.
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
    // By indices: a loop over pairs allocates in a debug build.
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
