import COpenVINO
import Matting

/// A tensor of floats in OpenVINO's memory: `ov_tensor_t` of type f32.
///
/// Safety: the object owns its handle. `data` points to `count` floats, does not move, and is valid
/// for as long as this object lives.
@safe final class FloatTensor {
  let handle: OpaquePointer
  let data: UnsafeMutablePointer<Float>
  let count: Int
  private let library: OpenVINOLibrary

  /// Creates a tensor of zeros.
  convenience init(shape: [Int], library: OpenVINOLibrary) throws(SegmentationError) {
    var dimensions = shape.map(Int64.init)
    let tensor = try unsafe library.make(
      orThrow: .deviceRefused, "OpenVINO could not create a tensor of the shape \(shape)"
    ) { api, tensor in
      unsafe dimensions.withUnsafeMutableBufferPointer {
        unsafe api.pointee.ov_tensor_create(
          F32, ov_shape_t(rank: Int64($0.count), dims: $0.baseAddress), tensor)
      }
    }
    try unsafe self.init(owning: tensor, shape: shape, library: library)
    fill(0)
  }

  /// Takes ownership of a tensor, and checks its type and shape.
  @unsafe init(
    owning tensor: OpaquePointer, shape: [Int], library: OpenVINOLibrary
  ) throws(SegmentationError) {
    let count = shape.reduce(1, *)
    let data: UnsafeMutableRawPointer? = unsafe library.call(orAtExit: nil) { api in
      var type = ov_element_type_e(0)
      var size = 0
      var data: UnsafeMutableRawPointer?
      guard unsafe api.pointee.ov_tensor_get_element_type(tensor, &type) == OK, type == F32,
        unsafe api.pointee.ov_tensor_get_byte_size(tensor, &size) == OK,
        size == count * MemoryLayout<Float>.stride,
        unsafe api.pointee.ov_tensor_data(tensor, &data) == OK
      else { return nil }
      return unsafe data
    }
    guard let data = unsafe data else {
      unsafe library.free { unsafe $0.pointee.ov_tensor_free(tensor) }
      throw SegmentationError(
        .deviceRefused, "OpenVINO returned a tensor that is not f32 of the shape \(shape).")
    }
    unsafe self.handle = tensor
    unsafe self.data = data.assumingMemoryBound(to: Float.self)
    self.count = count
    self.library = library
  }

  deinit { unsafe library.free { unsafe $0.pointee.ov_tensor_free(handle) } }

  /// Sets all values to one value.
  func fill(_ value: Float) { unsafe data.update(repeating: value, count: count) }

  /// Whether every value is finite, neither infinite nor NaN.
  var isFinite: Bool {
    // If all bits of the exponent are set, adding one carries into the sign bit. The compiler
    // vectorises integer sums.
    var carries: UInt32 = 0
    for index in 0..<count {
      carries |= unsafe (data[index].bitPattern & 0x7FFF_FFFF) &+ 0x0080_0000
    }
    return carries & 0x8000_0000 == 0
  }
}
