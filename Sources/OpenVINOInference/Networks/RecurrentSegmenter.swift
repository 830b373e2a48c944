import Matting
import PixelTypes

/// Runs a network of Robust Video Matting and keeps its states between pictures.
///
/// Two requests take turns. They share the tensors of the picture and the matte. Each reads the
/// states that the other has written, so no state is copied between inferences.
///
/// Safety: the object owns the tensors. The exposed pointers are valid for as long as it lives.
final class RecurrentSegmenter: Segmenter {
  let inputFormat: TensorFormat
  let use: NetworkUse
  private let picture: FloatTensor
  private let matte: FloatTensor
  private let states: [RecurrentState]
  private(set) var current: InferenceRequest
  private var next: InferenceRequest
  /// Whether the next inference reads the states' even tensors.
  private var isNextEven = true

  init(_ use: NetworkUse, path: String, shapes: RecurrentShapes) throws(SegmentationError) {
    typealias Name = ModelFamily.RecurrentName
    let library = use.network.library
    inputFormat = TensorFormat(
      width: shapes.width, height: shapes.height, layout: .planar, fit: .stretch, filter: .lanczos)
    self.use = use
    picture = try FloatTensor(shape: [1, 3, shapes.height, shapes.width], library: library)
    matte = try FloatTensor(shape: [1, 1, shapes.height, shapes.width], library: library)
    current = try InferenceRequest(of: use.network, path: path)
    next = try InferenceRequest(of: use.network, path: path)
    states = try shapes.states.map { (shape) throws(SegmentationError) in
      try RecurrentState(shape: shape, library: library)
    }
    for (request, isEven) in [(current, true), (next, false)] {
      try request.use(picture, as: Name.picture)
      try request.use(matte, as: Name.matte)
      for (level, state) in states.enumerated() {
        let (read, written) = isEven ? (state.even, state.odd) : (state.odd, state.even)
        try request.use(read, as: Name.stateInputs[level])
        try request.use(written, as: Name.stateOutputs[level])
      }
    }
    // `next` needs no rehearsal, because it has no memory of its own.
    try current.rehearse(into: matte)
    reset()
  }

  let edge = MatteEdge.exact
  let remembersPast = true

  var inputTensor: UnsafeMutablePointer<Float> { unsafe picture.data }

  func infer() throws(SegmentationError) -> RawMatte {
    do {
      try current.run(into: matte)
    } catch {
      reset()
      throw error
    }
    swap(&current, &next)
    isNextEven.toggle()
    return unsafe RawMatte(base: matte.data, width: inputFormat.width, height: inputFormat.height)
  }

  func consumeHelperTime() -> UInt64 { current.consumeHelperTime() &+ next.consumeHelperTime() }

  func reset() {
    for state in states { state.clear() }
  }

  func movePast(from old: PixelRegion, to new: PixelRegion) {
    for state in states { state.move(from: old, to: new, isNextEven: isNextEven) }
  }
}
