import GstVideoFilterKit

/// Shifts the colours towards blue or yellow.
struct Tint: VideoFilter {
  static let id = "tint", name = "Tint"
  static let properties: [FilterProperty<Self>] = [
    .integer("amount", \.amount, in: -64...64, "Shift towards blue, or towards yellow if negative")
  ]

  var amount = 20

  func process(_ frame: inout VideoFrame) throws {
    let amount = Int16(amount)
    frame.mapChroma { _, cb, cr in
      (cb: UInt8(clamping: Int16(cb) &+ amount), cr: cr)
    }
  }
}
