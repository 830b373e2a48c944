import InferenceTypes

extension TensorFormat {
  /// Floats from a pixel to the next one.
  var pixelStep: Int { layout == .planar ? 1 : 3 }

  /// Where red, green and blue of the first pixel lie in a tensor.
  package var colorOffsets: (red: Int, green: Int, blue: Int) {
    let component = layout == .planar ? width * height : 1
    return order == .rgb ? (0, component, 2 * component) : (2 * component, component, 0)
  }

  /// Makes a tensor black all over.
  func fillWithBlack(_ tensor: UnsafeMutablePointer<Float>) {
    func fill(_ first: Int, _ value: Float) {
      for pixel in 0..<width * height { unsafe tensor[first + pixel * pixelStep] = value }
    }
    let offsets = colorOffsets
    fill(offsets.red, red.low)
    fill(offsets.green, green.low)
    fill(offsets.blue, blue.low)
  }
}
