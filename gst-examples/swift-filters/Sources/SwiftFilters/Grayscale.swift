import GstVideoFilterKit

/// Removes the colour of a frame.
struct Grayscale: VideoFilter {
  static let id = "grayscale", name = "Grayscale"
  static let formats: [VideoFrame.Format] = [.nv12, .i420, .rgba]

  func process(_ frame: inout VideoFrame) throws {
    frame.chroma.fill(128)
    // The weights of BT.709, which RGB has by default, in 1/65536.
    frame.mapColors { red, green, blue in
      let luma = (13933 &* UInt32(red) &+ 46871 &* UInt32(green) &+ 4732 &* UInt32(blue)) &>> 16
      let grey = UInt8(truncatingIfNeeded: luma)
      return (grey, grey, grey)
    }
  }
}
