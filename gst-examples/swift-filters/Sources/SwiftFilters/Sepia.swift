import GstVideoFilterKit

/// Gives a picture the brown tone of an old photograph.
///
/// Each pixel is mixed with a shade of brown that has the pixel's luma, in proportion to
/// `strength`. A table contains the shades by coded luma. It depends on the stream's matrix and
/// range.
struct Sepia: VideoFilter {
  static let id = "sepia", name = "Sepia"
  static let summary = "Gives the picture the brown tone of an old photograph"
  static let formats: [VideoFrame.Format] = [.nv12, .i420, .rgba]
  static let properties: [FilterProperty<Self>] = [
    .number("strength", \.strength, in: 0...1, "Share of the colour that sepia replaces")
  ]

  var strength = 1.0

  /// The shade for each coded luma: YCbCr, or red, green and blue.
  private var tones: [(UInt8, UInt8, UInt8)] = []

  mutating func setUp(for stream: VideoStream) throws {
    let isYCbCr = stream.format != .rgba
    let (offset, span, _) =
      isYCbCr ? stream.colorimetry.scale : (lumaOffset: 0, lumaSpan: 255, chromaSpan: 255)
    tones = (0...255).map { code in
      let grey = (Double(code) - offset) / span * 255
      func channel(_ share: Double) -> UInt8 { UInt8(min(max(grey * share, 0), 255).rounded()) }
      // With these factors, the shade has the same luma as the grey in BT.709, and nearly the same
      // luma with other matrices.
      let (red, green, blue) = (channel(1.112), channel(0.990), channel(0.771))
      guard isYCbCr else { return (red, green, blue) }
      let tone = stream.colorimetry.codeValues(red: red, green: green, blue: blue)
      return (tone.luma, tone.cb, tone.cr)
    }
  }

  func process(_ frame: inout VideoFrame) throws {
    let share = UInt16((strength * 256).rounded())
    func mix(_ old: UInt8, _ new: UInt8) -> UInt8 {
      UInt8(
        truncatingIfNeeded: (UInt16(old) &* (256 &- share) &+ UInt16(new) &* share &+ 128) &>> 8)
    }
    let tones = tones
    frame.mapChroma { luma, cb, cr in
      let tone = tones[Int(luma)]
      return (mix(cb, tone.1), mix(cr, tone.2))
    }
    frame.luma.map { mix($0, tones[Int($0)].0) }
    frame.mapColors { red, green, blue in
      let luma = (13933 &* UInt32(red) &+ 46871 &* UInt32(green) &+ 4732 &* UInt32(blue)) &>> 16
      let tone = tones[Int(truncatingIfNeeded: luma)]
      return (mix(red, tone.0), mix(green, tone.1), mix(blue, tone.2))
    }
  }
}
