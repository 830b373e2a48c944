import PixelTypes

extension CompiledKernels {
  /// Takes the old room's colour out of a row, towards the person's colour and not past it.
  public static func despillRow(
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
}
