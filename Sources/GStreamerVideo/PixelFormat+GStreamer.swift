import CGStreamer
import PixelTypes

extension PixelFormat {
  /// The format for one of GStreamer's; nil for one that the core does not have.
  package init?(_ format: GstVideoFormat) {
    let name = unsafe String(cString: gst_video_format_to_string(format))
    guard let known = Self(name: name) else { return nil }
    self = known
  }

  /// The format of a name in caps; nil for one that the core does not have.
  package init?(name: String) {
    guard let known = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  /// The name in caps.
  package var name: String {
    switch self {
    case .nv12: "NV12"
    case .nv21: "NV21"
    case .i420: "I420"
    case .p010: "P010_10LE"
    case .a420: "A420"
    case .ayuv: "AYUV"
    case .rgba: "RGBA"
    case .bgra: "BGRA"
    case .argb: "ARGB"
    case .abgr: "ABGR"
    case .gray8: "GRAY8"
    }
  }
}
