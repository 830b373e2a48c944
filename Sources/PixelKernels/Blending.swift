import PixelTypes

extension CompiledKernels {
  // The alpha is mixed here, so that no row of it is written and read again.
  package static func blendRow(
    _ row: MutableBytes, _ background: Bytes, _ alpha: RowBetween, _ count: Int
  ) {
    let alphas = Mixture(alpha)
    for i in 0..<count {
      let alpha = alphas[i]
      let sum = unsafe UInt16(row[i]) &* alpha &+ UInt16(background[i]) &* (255 &- alpha)
      unsafe row[i] = UInt8(truncatingIfNeeded: dividedBy255(sum))
    }
  }

  package static func mixRows(_ rows: RowBetween, _ out: MutableBytes, _ count: Int) {
    let mixture = Mixture(rows)
    unsafe combine(rows.top, rows.bottom, out, count) {
      UInt8(truncatingIfNeeded: mixture.mixed($0, $1))
    }
  }

  package static func clearRow(_ row: MutableBytes, _ alpha: Bytes, _ value: UInt8, _ count: Int) {
    for i in 0..<count {
      let sample = unsafe row[i]
      unsafe row[i] = alpha[i] == 0 ? value : sample
    }
  }

  package static func clearPairs(
    _ row: MutableBytes, _ top: Bytes, _ bottom: Bytes, _ value: UInt8, _ count: Int
  ) {
    let (above, below) = unsafe (UnsafeRawPointer(top), UnsafeRawPointer(bottom))
    let target = UnsafeMutableRawPointer(row)
    let cleared = UInt16(value) | (UInt16(value) &<< 8)
    for i in 0..<count {
      let alphas =
        unsafe above.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
        | below.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      let pair = unsafe target.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      unsafe target.storeBytes(
        of: alphas == 0 ? cleared : pair, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  package static func stretchRow(
    _ row: Bytes, _ low: UInt8, _ factor: Int32, _ out: MutableBytes, _ count: Int
  ) {
    let offset = 32768 &- factor &* Int32(low)
    for i in 0..<count {
      let value = unsafe (factor &* Int32(row[i]) &+ offset) &>> 16
      let positive = value < 0 ? 0 : value
      unsafe out[i] = UInt8(truncatingIfNeeded: positive > 255 ? 255 : positive)
    }
  }

  package static func smooth(
    _ smoothed: MutableFloats, _ matte: MutableBytes, _ motion: Bytes, _ minShare: Float,
    _ uncertaintyDamping: Float, _ count: Int
  ) {
    let rest = 1 - minShare
    let ofByte: Float = 1 / 255
    for i in 0..<count {
      let old = unsafe smoothed[i]
      let new = unsafe Float(matte[i])
      let moving = unsafe Float(motion[i]) * ofByte
      let difference = new - old
      let disagreement = difference.magnitude * ofByte
      let reason = disagreement > moving ? disagreement : moving
      let share = minShare + rest * reason
      let doubt = new * ofByte * (1 - new * ofByte) * 4 * (1 - moving)
      let moved = old + difference * (share * (1 - uncertaintyDamping * doubt))
      unsafe smoothed[i] = moved
      unsafe matte[i] = roundedByte(moved)
    }
  }
}
