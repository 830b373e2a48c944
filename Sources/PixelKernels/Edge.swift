import PixelTypes

extension CompiledKernels {
  package static func refineRow(
    _ planes: MattePlanes, _ rows: UnsafePointer<Int>, _ spatial: UnsafePointer<Float>,
    _ reach: Float, _ contrast: Float, _ sums: UnsafeMutablePointer<Float>,
    _ weights: UnsafeMutablePointer<Float>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let own = unsafe rows[2]
    let (luma, cb, cr) = unsafe (planes.luma + own, planes.cb + own, planes.cr + own)
    for i in 0..<count {
      unsafe sums[i] = 0
      unsafe weights[i] = 0
    }
    for row in 0..<5 {
      for column in 0..<5 {
        let offset = unsafe rows[row] &+ column &- 2
        let (alpha, otherLuma) = unsafe (planes.alpha + offset, planes.luma + offset)
        let (otherCb, otherCr) = unsafe (planes.cb + offset, planes.cr + offset)
        let weight = unsafe spatial[row &* 5 &+ column]
        for i in 0..<count {
          let y = unsafe Int32(luma[i]) &- Int32(otherLuma[i])
          let b = unsafe Int32(cb[i]) &- Int32(otherCb[i])
          let r = unsafe Int32(cr[i]) &- Int32(otherCr[i])
          let distance = y &* y &+ 3 &* (b &* b &+ r &* r)
          let near = 1 - Float(distance) * reach
          let likeness = near > 0 ? near : 0
          let share = weight * (likeness * likeness)
          unsafe weights[i] += share
          unsafe sums[i] += share * Float(alpha[i])
        }
      }
    }
    for i in 0..<count {
      let mean = unsafe sums[i] / weights[i]
      unsafe out[i] = roundedByte((mean - 127.5) * contrast + 127.5)
    }
  }

  package static func contrastRow(
    _ row: UnsafeMutablePointer<UInt8>, _ contrast: Float, _ count: Int
  ) {
    for i in 0..<count {
      unsafe row[i] = roundedByte((Float(row[i]) - 127.5) * contrast + 127.5)
    }
  }

  package static func roomWeights(
    _ row: UnsafePointer<UInt8>, _ slope: Float, _ least: Float,
    _ out: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for i in 0..<count {
      let weight = unsafe 1 - slope * Float(row[i])
      unsafe out[i] = weight > least ? weight : least
    }
  }

  package static func weighRow(
    _ row: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ repeats: Int,
    _ out: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if repeats == 1 {
      for i in 0..<count {
        unsafe out[i] = weights[i] * Float(row[i])
      }
    } else {
      let pairs = count &>> 1
      for i in 0..<pairs {
        let weight = unsafe weights[i]
        unsafe out[2 &* i] = weight * Float(row[2 &* i])
        unsafe out[2 &* i &+ 1] = weight * Float(row[2 &* i &+ 1])
      }
      if count & 1 == 1 {
        unsafe out[2 &* pairs] = weights[pairs] * Float(row[2 &* pairs])
      }
    }
  }

  package static func unweighRow(
    _ sums: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ repeats: Int,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    if repeats == 1 {
      for i in 0..<count {
        unsafe out[i] = roundedByte(sums[i] / weights[i])
      }
    } else {
      let pairs = count &>> 1
      for i in 0..<pairs {
        let weight = unsafe weights[i]
        unsafe out[2 &* i] = roundedByte(sums[2 &* i] / weight)
        unsafe out[2 &* i &+ 1] = roundedByte(sums[2 &* i &+ 1] / weight)
      }
      if count & 1 == 1 {
        unsafe out[2 &* pairs] = roundedByte(sums[2 &* pairs] / weights[pairs])
      }
    }
  }

  package static func despillRow(
    _ row: UnsafeMutablePointer<UInt8>, _ personTop: UnsafePointer<UInt8>,
    _ personBottom: UnsafePointer<UInt8>, _ roomTop: UnsafePointer<UInt8>,
    _ roomBottom: UnsafePointer<UInt8>, _ weight: Int, _ alphaTop: UnsafePointer<UInt8>,
    _ alphaBottom: UnsafePointer<UInt8>, _ alphaWeight: Int, _ count: Int
  ) {
    let below = UInt16(truncatingIfNeeded: weight)
    let above = 256 &- below
    let alphaBelow = UInt16(truncatingIfNeeded: alphaWeight)
    let alphaAbove = 256 &- alphaBelow
    for i in 0..<count {
      let person = unsafe mixed(personTop[i], personBottom[i], above, below)
      let room = unsafe mixed(roomTop[i], roomBottom[i], above, below)
      let alpha = unsafe mixed(alphaTop[i], alphaBottom[i], alphaAbove, alphaBelow)
      let old = unsafe UInt16(row[i])
      let contrast = person > room ? person &- room : room &- person
      // Division by 255, rounded to nearest, as in `blendRow`.
      let scaled = contrast &* (255 &- alpha) &+ 128
      let share = (scaled &+ (scaled &>> 8)) &>> 8
      let gap = person > old ? person &- old : old &- person
      let move = share < gap ? share : gap
      let brighter = person > room && person > old ? move : 0
      let darker = person < room && person < old ? move : 0
      unsafe row[i] = UInt8(truncatingIfNeeded: old &+ brighter &- darker)
    }
  }

  package static func fadeRow(
    _ row: UnsafeMutablePointer<UInt8>, _ personTop: UnsafePointer<UInt8>,
    _ personBottom: UnsafePointer<UInt8>, _ weight: Int, _ alphaTop: UnsafePointer<UInt8>,
    _ alphaBottom: UnsafePointer<UInt8>, _ alphaWeight: Int, _ count: Int
  ) {
    let below = UInt16(truncatingIfNeeded: weight)
    let above = 256 &- below
    let alphaBelow = UInt16(truncatingIfNeeded: alphaWeight)
    let alphaAbove = 256 &- alphaBelow
    for i in 0..<count {
      let person = unsafe mixed(personTop[i], personBottom[i], above, below)
      let alpha = unsafe mixed(alphaTop[i], alphaBottom[i], alphaAbove, alphaBelow)
      let excess = alpha > 127 ? alpha &- 127 : 0
      let share = excess < 64 ? 4 &* excess : 255
      // Division by 255, rounded to nearest, as in `blendRow`.
      let sum = unsafe UInt16(row[i]) &* share &+ person &* (255 &- share) &+ 128
      unsafe row[i] = UInt8(truncatingIfNeeded: (sum &+ (sum &>> 8)) &>> 8)
    }
  }

  package static func addLight(
    _ row: UnsafeMutablePointer<UInt8>, _ top: UnsafePointer<UInt8>,
    _ bottom: UnsafePointer<UInt8>, _ weight: Int, _ low: UInt8, _ high: UInt8, _ count: Int
  ) {
    let below = UInt16(truncatingIfNeeded: weight)
    let above = 256 &- below
    let (least, greatest) = (UInt16(low) &+ 128, UInt16(high) &+ 128)
    for i in 0..<count {
      let light = unsafe mixed(top[i], bottom[i], above, below)
      // Sums are 128 too large, so that they are never negative.
      let sum = unsafe UInt16(row[i]) &+ light
      let raised = sum > least ? sum : least
      let limited = raised < greatest ? raised : greatest
      unsafe row[i] = UInt8(truncatingIfNeeded: limited &- 128)
    }
  }
}
