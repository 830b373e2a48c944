import CGStreamer
import CVBGFilter
import Compositing
import Glibc
import GstElementSupport
import PixelTypes

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
      let fields = unsafe gst_custom_meta_get_structure(custom)
      return unsafe fields != nil && PlainData.containsOnlyPlainValues(fields)
    case .referenceTime:
      let time = unsafe UnsafeMutablePointer<GstReferenceTimestampMeta>(OpaquePointer(meta))
      return unsafe PlainData.containsOnlyPlainValues(time.pointee.reference)
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

/// Adapts the metas with positions to the part of the frame that is shown.
///
/// Upstream computed them for the whole frame. Regions of interest move with the picture. Metas
/// that cannot be moved are removed: detections of GStreamer's analytics library, mattes of another
/// vbgfilter, bars and active areas.
///
/// Used only on the streaming thread.
@safe struct RegionMetas {
  /// The shown part, in pixels of the frame.
  private let x: Double, y: Double, width: Double, height: Double
  private let zoom: Double
  /// Whether regions of interest can be moved, because their positions begin at the frame's corner.
  private let movesRegions: Bool

  /// Adapts the metas of a writable buffer with a frame of `format`.
  static func update(
    _ buffer: BufferPointer, for region: ShownRegion, in format: FrameFormat
  ) {
    guard region.size < 1 else { return }
    let (width, height) = (Double(format.width), Double(format.height))
    var metas = unsafe RegionMetas(
      x: region.x * width, y: region.y * height, width: width, height: height,
      zoom: 1 / region.size, movesRegions: vbgfilter_buffer_crop_meta(buffer) == nil)
    _ = unsafe gst_buffer_foreach_meta(
      buffer,
      { _, meta, metas in
        guard let meta = unsafe meta, let each = unsafe meta.pointee,
          let metas = unsafe metas?.assumingMemoryBound(to: RegionMetas.self),
          unsafe each.pointee.flags.rawValue & GST_META_FLAG_LOCKED.rawValue == 0
        else { return 1 }
        if unsafe !metas.pointee.keep(each) { unsafe meta.pointee = nil }
        return 1
      }, &metas)
  }

  /// Moves a meta with the picture, or returns false to remove it.
  private func keep(_ meta: MetaPointer) -> Bool {
    guard let info = unsafe meta.pointee.info, let name = unsafe g_type_name(info.pointee.api)
    else { return true }
    // Compare C strings, because a `String` may be allocated for each frame.
    func isOf(_ api: StaticString) -> Bool {
      unsafe g_strcmp0(
        name, UnsafeRawPointer(api.utf8Start).assumingMemoryBound(to: CChar.self)) == 0
    }
    if isOf("GstVideoRegionOfInterestMetaAPI") {
      return unsafe move(
        &UnsafeMutablePointer<GstVideoRegionOfInterestMeta>(OpaquePointer(meta)).pointee)
    }
    return !isOf("GstAnalyticsRelationMetaAPI") && !isOf("GstVBGMatteMetaAPI")
      && !isOf("GstVBGMatte-api") && !isOf("GstVideoAFDMetaAPI") && !isOf("GstVideoBarMetaAPI")
  }

  /// Moves a region of interest, or returns false if no pixel of it is shown.
  private func move(_ region: inout GstVideoRegionOfInterestMeta) -> Bool {
    guard movesRegions else { return false }
    func range(_ first: guint, _ count: guint, _ origin: Double, _ limit: Double) -> Range<guint> {
      let begin = min(max((Double(first) - origin) * zoom, 0), limit).rounded()
      let end = min(max((Double(first) + Double(count) - origin) * zoom, 0), limit).rounded()
      return guint(begin)..<guint(end)
    }
    let columns = unsafe range(region.x, region.w, x, width)
    let rows = unsafe range(region.y, region.h, y, height)
    unsafe (region.x, region.y) = (columns.lowerBound, rows.lowerBound)
    unsafe (region.w, region.h) = (guint(columns.count), guint(rows.count))
    return !columns.isEmpty && !rows.isEmpty
  }
}
