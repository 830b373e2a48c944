/// e to the power of `x`, to six digits; below -87 it stays what it is there, above 88 as well.
///
/// In steps that the compiler turns into vectors, which it cannot do with the C library's function:
/// a network with 21 classes needs more than a million of these for a picture.
@inline(__always)
func fastExponential(_ x: Float) -> Float {
  let bounded = x < 88 ? (x > -87 ? x : -87) : 88
  // Adding 1.5 * 2^23 rounds to a whole number, which then stands in the low bits.
  let shifted = bounded * 1.442695 + 12_582_912
  let power = shifted - 12_582_912
  let rest = bounded - power * 0.69335938 + power * 2.1219444e-4
  // Cephes' polynomial for 2^-0.5 to 2^0.5, by Moshier.
  var sum: Float = 1.9875692e-4
  sum = sum * rest + 1.3981999e-3
  sum = sum * rest + 8.333452e-3
  sum = sum * rest + 4.1665796e-2
  sum = sum * rest + 1.6666666e-1
  sum = sum * rest + 0.5
  sum = sum * rest * rest + rest + 1
  return Float(bitPattern: sum.bitPattern &+ shifted.bitPattern &<< 23)
}
