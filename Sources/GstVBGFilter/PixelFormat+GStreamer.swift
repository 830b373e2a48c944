import CGStreamer
import CVBGFilter
import VirtualBackground

extension PixelFormat {
  /// The format that GStreamer numbers so; nil for any that the element does not know.
  init?(_ format: GstVideoFormat) {
    let name = unsafe String(cString: gst_video_format_to_string(format))
    guard let known = Self(name: name) else { return nil }
    self = known
  }

  /// The format that caps name so; nil for any that the element does not know.
  init?(name: String) {
    guard let known = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  /// What caps call it.
  var name: String {
    switch self {
    case .nv12: "NV12"
    case .nv21: "NV21"
    case .i420: "I420"
    case .a420: "A420"
    case .ayuv: "AYUV"
    case .rgba: "RGBA"
    case .bgra: "BGRA"
    case .argb: "ARGB"
    case .abgr: "ABGR"
    case .gray8: "GRAY8"
    }
  }

  /// Whether frames may come in it.
  var isInput: Bool { self == .nv12 || self == .i420 || self == .nv21 }

  /// Whether its samples are red, green and blue.
  var isRGB: Bool { self == .rgba || self == .bgra || self == .argb || self == .abgr }
}
