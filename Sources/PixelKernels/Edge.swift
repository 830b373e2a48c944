import PixelTypes

extension CompiledKernels {
  package static func refineRow(
    _ planes: MattePlanes, _ rows: UnsafePointer<Int>, _ spatial: Floats, _ reach: Float,
    _ contrast: Float, _ sums: MutableFloats, _ weights: MutableFloats, _ out: MutableBytes,
    _ count: Int
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

  package static func contrastRow(_ row: MutableBytes, _ contrast: Float, _ count: Int) {
    for i in 0..<count { unsafe row[i] = roundedByte((Float(row[i]) - 127.5) * contrast + 127.5) }
  }

  package static func roomWeights(
    _ row: Bytes, _ slope: Float, _ least: Float, _ out: MutableFloats, _ count: Int
  ) {
    for i in 0..<count {
      let weight = unsafe 1 - slope * Float(row[i])
      unsafe out[i] = weight > least ? weight : least
    }
  }

  package static func weighRow(
    _ row: Bytes, _ weights: Floats, _ repeats: Int, _ out: MutableFloats, _ count: Int
  ) {
    if repeats == 1 {
      for i in 0..<count { unsafe out[i] = weights[i] * Float(row[i]) }
    } else {
      for i in 0..<count &>> 1 {
        let weight = unsafe weights[i]
        unsafe out[2 &* i] = weight * Float(row[2 &* i])
        unsafe out[2 &* i &+ 1] = weight * Float(row[2 &* i &+ 1])
      }
    }
  }

  package static func unweighRow(
    _ sums: Floats, _ weights: Floats, _ repeats: Int, _ out: MutableBytes, _ count: Int
  ) {
    if repeats == 1 {
      for i in 0..<count { unsafe out[i] = roundedByte(sums[i] / weights[i]) }
    } else {
      for i in 0..<count &>> 1 {
        let weight = unsafe weights[i]
        unsafe out[2 &* i] = roundedByte(sums[2 &* i] / weight)
        unsafe out[2 &* i &+ 1] = roundedByte(sums[2 &* i &+ 1] / weight)
      }
    }
  }

  package static func despillRow(
    _ row: MutableBytes, _ person: RowBetween, _ room: RowBetween, _ alpha: RowBetween, _ count: Int
  ) {
    let (persons, rooms, alphas) = (Mixture(person), Mixture(room), Mixture(alpha))
    for i in 0..<count {
      let (person, room, old) = unsafe (persons[i], rooms[i], UInt16(row[i]))
      let contrast = person > room ? person &- room : room &- person
      let share = dividedBy255(contrast &* (255 &- alphas[i]))
      let gap = person > old ? person &- old : old &- person
      let move = share < gap ? share : gap
      let brighter = person > room && person > old ? move : 0
      let darker = person < room && person < old ? move : 0
      unsafe row[i] = UInt8(truncatingIfNeeded: old &+ brighter &- darker)
    }
  }

  package static func fadeRow(
    _ row: MutableBytes, _ person: RowBetween, _ alpha: RowBetween, _ count: Int
  ) {
    let (persons, alphas) = (Mixture(person), Mixture(alpha))
    for i in 0..<count {
      let alpha = alphas[i]
      let excess = alpha > 127 ? alpha &- 127 : 0
      let share = excess < 64 ? 4 &* excess : 255
      let sum = unsafe UInt16(row[i]) &* share &+ persons[i] &* (255 &- share)
      unsafe row[i] = UInt8(truncatingIfNeeded: dividedBy255(sum))
    }
  }

  package static func addLight(
    _ row: MutableBytes, _ light: RowBetween, _ low: UInt8, _ high: UInt8, _ count: Int
  ) {
    let lights = Mixture(light)
    let (least, greatest) = (UInt16(low) &+ 128, UInt16(high) &+ 128)
    for i in 0..<count {
      // Sums are 128 too large, so that they are never negative.
      let sum = unsafe UInt16(row[i]) &+ lights[i]
      let raised = sum > least ? sum : least
      let limited = raised < greatest ? raised : greatest
      unsafe row[i] = UInt8(truncatingIfNeeded: limited &- 128)
    }
  }
}
