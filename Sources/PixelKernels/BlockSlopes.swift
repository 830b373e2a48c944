import PixelTypes

extension CompiledKernels {
  /// The slopes of a block of 8 by 8 samples.
  public static func blockSlopes(
    _ block: UnsafePointer<UInt8>, _ stride: Int, _ across: UnsafeMutablePointer<Int16>,
    _ down: UnsafeMutablePointer<Int16>, _ products: UnsafeMutablePointer<Int32>
  ) {
    var (squaresAcross, mixed, squaresDown) = (Int32(0), Int32(0), Int32(0))
    for y in 0..<8 {
      let row = unsafe block + y &* stride
      let (left, right) = unsafe (row - 1, row + 1)
      let (above, below) = unsafe (row - stride, row + stride)
      let (acrossRow, downRow) = unsafe (across + 8 &* y, down + 8 &* y)
      for x in 0..<8 {
        let slopeAcross = unsafe Int16(right[x]) &- Int16(left[x])
        let slopeDown = unsafe Int16(below[x]) &- Int16(above[x])
        unsafe acrossRow[x] = slopeAcross
        unsafe downRow[x] = slopeDown
        squaresAcross &+= Int32(slopeAcross) &* Int32(slopeAcross)
        mixed &+= Int32(slopeAcross) &* Int32(slopeDown)
        squaresDown &+= Int32(slopeDown) &* Int32(slopeDown)
      }
    }
    unsafe products[0] = squaresAcross
    unsafe products[1] = mixed
    unsafe products[2] = squaresDown
  }

  /// How a block differs along its slopes from one between the samples of another picture.
  public static func blockOffset(
    _ block: UnsafePointer<UInt8>, _ stride: Int, _ other: UnsafePointer<UInt8>, _ otherStride: Int,
    _ shareAcross: Int, _ shareDown: Int, _ across: UnsafePointer<Int16>,
    _ down: UnsafePointer<Int16>, _ sums: UnsafeMutablePointer<Int32>
  ) {
    let (right, below) = (Int32(shareAcross), Int32(shareDown))
    let (left, above) = (16 &- right, 16 &- below)
    var (sumAcross, sumDown) = (Int32(0), Int32(0))
    for y in 0..<8 {
      let row = unsafe block + y &* stride
      let upper = unsafe other + y &* otherStride
      let lower = unsafe upper + otherStride
      let (acrossRow, downRow) = unsafe (across + 8 &* y, down + 8 &* y)
      for x in 0..<8 {
        let top = unsafe Int32(upper[x]) &* left &+ Int32(upper[x &+ 1]) &* right
        let bottom = unsafe Int32(lower[x]) &* left &+ Int32(lower[x &+ 1]) &* right
        let sample = (top &* above &+ bottom &* below &+ 8) >> 4
        let difference = unsafe sample &- 16 &* Int32(row[x])
        unsafe sumAcross &+= Int32(acrossRow[x]) &* difference
        unsafe sumDown &+= Int32(downRow[x]) &* difference
      }
    }
    unsafe sums[0] = sumAcross
    unsafe sums[1] = sumDown
  }
}
