import Matting
import PixelTypes

/// Components of a colour, from 0 to 255.
package typealias RGB = (red: UInt8, green: UInt8, blue: UInt8)

extension Colorimetry {
  /// BT.709 with limited range.
  package static let bt709 = Colorimetry(matrix: .bt709, range: .limited)

  package static let all = [Matrix.bt601, .bt709, .bt2020].flatMap { matrix in
    [Range.limited, .full].map { Colorimetry(matrix: matrix, range: $0) }
  }
}

extension FrameFormat {
  /// Makes a format in BT.709 with limited range.
  package init(width: Int, height: Int) {
    self.init(width: width, height: height, colorimetry: .bt709)
  }
}

extension TensorFormat {
  /// Makes the format of a planar input, to which the network's pictures are stretched.
  package init(width: Int, height: Int) {
    self.init(width: width, height: height, layout: .planar, fit: .stretch)
  }
}

extension Plane {
  /// Sets each sample to the result for its place and its old value.
  package func change(_ sample: (_ x: Int, _ y: Int, _ old: UInt8) -> UInt8) {
    for y in 0..<height {
      let row = unsafe row(y)
      for x in 0..<width { unsafe row[x] = sample(x, y, row[x]) }
    }
  }
}

extension Plane {
  /// Whether no byte of the padding was written.
  var paddingIsIntact: Bool {
    (0..<height).allSatisfy { y in
      (width..<stride).allSatisfy { unsafe row(y)[$0] == TestPicture.paddingMark }
    }
  }

  func maxDifference(from other: Plane) -> Int {
    var greatest = 0
    for y in 0..<height {
      for x in 0..<width {
        greatest = max(greatest, unsafe abs(Int(row(y)[x]) - Int(other.row(y)[x])))
      }
    }
    return greatest
  }
}

extension Raster<UInt8> {
  /// Makes a raster of computed samples.
  package convenience init(width: Int, height: Int, _ sample: (_ x: Int, _ y: Int) -> UInt8) {
    self.init(width: width, height: height, filledWith: 0)
    plane.change { x, y, _ in sample(x, y) }
  }
}
