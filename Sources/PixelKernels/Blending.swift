import PixelTypes

extension CompiledKernels {
  // The alpha is mixed here, so that no row of it is written and read again.
  package static func blendRow(
    _ row: UnsafeMutablePointer<UInt8>, _ background: UnsafePointer<UInt8>,
    _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int, _ count: Int
  ) {
    let below = UInt16(truncatingIfNeeded: weight)
    let above = 256 &- below
    for i in 0..<count {
      let alpha = unsafe mixed(top[i], bottom[i], above, below)
      let sum = unsafe UInt16(row[i]) &* alpha &+ UInt16(background[i]) &* (255 &- alpha)
      // Division by 255, rounded to nearest: exact in 16 bits for all sums up to 255 * 255.
      let rounded = sum &+ 128
      unsafe row[i] = UInt8(truncatingIfNeeded: (rounded &+ (rounded &>> 8)) &>> 8)
    }
  }

  package static func mixRows(
    _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let below = UInt16(truncatingIfNeeded: weight)
    let above = 256 &- below
    // Each in-place case has its own loop. Otherwise the overlap check before the vectorised loop
    // would select the scalar loop for a row that is written in place.
    if unsafe out == UnsafeMutablePointer(mutating: top) {
      for i in 0..<count {
        unsafe out[i] = UInt8(truncatingIfNeeded: mixed(out[i], bottom[i], above, below))
      }
    } else if unsafe out == UnsafeMutablePointer(mutating: bottom) {
      for i in 0..<count {
        unsafe out[i] = UInt8(truncatingIfNeeded: mixed(top[i], out[i], above, below))
      }
    } else {
      for i in 0..<count {
        unsafe out[i] = UInt8(truncatingIfNeeded: mixed(top[i], bottom[i], above, below))
      }
    }
  }

  package static func clearRow(
    _ row: UnsafeMutablePointer<UInt8>, _ alpha: UnsafePointer<UInt8>, _ value: UInt8,
    _ count: Int
  ) {
    for i in 0..<count {
      let sample = unsafe row[i]
      unsafe row[i] = alpha[i] == 0 ? value : sample
    }
  }

  package static func clearPairs(
    _ row: UnsafeMutablePointer<UInt8>, _ top: UnsafePointer<UInt8>,
    _ bottom: UnsafePointer<UInt8>, _ value: UInt8, _ count: Int
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
    _ row: UnsafePointer<UInt8>, _ low: UInt8, _ factor: Int32, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    let offset = 32768 &- factor &* Int32(low)
    for i in 0..<count {
      let value = unsafe (factor &* Int32(row[i]) &+ offset) &>> 16
      let positive = value < 0 ? 0 : value
      unsafe out[i] = UInt8(truncatingIfNeeded: positive > 255 ? 255 : positive)
    }
  }

  package static func smooth(
    _ smoothed: UnsafeMutablePointer<Float>, _ matte: UnsafeMutablePointer<UInt8>,
    _ motion: UnsafePointer<UInt8>, _ minShare: Float, _ uncertaintyDamping: Float, _ count: Int
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
