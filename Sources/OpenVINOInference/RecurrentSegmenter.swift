import VirtualBackground

/// Runs a network of Robust Video Matting and carries its states from picture to picture.
///
/// Two requests share the picture and the matte; what one writes as its states the other reads, so
/// that nothing is copied and no tensor is moved between inferences.
///
/// Safety: owns the tensors; the pointers that are given out live as long as this.
final class RecurrentSegmenter: Segmenter {
  let inputFormat: TensorFormat
  let use: NetworkUse
  private let picture: FloatTensor
  private let matte: FloatTensor
  private let states: [FloatTensor]
  private(set) var current: InferenceRequest
  private var next: InferenceRequest

  init(
    _ use: NetworkUse, path: String, shapes: RecurrentShapes
  ) throws(SegmentationError) {
    typealias Name = ModelFamily.RecurrentName
    let (size, library) = (shapes.size, use.network.library)
    inputFormat = TensorFormat(
      width: size.width, height: size.height, layout: .planar, fit: .stretch,
      filter: .lanczos)
    self.use = use
    picture = try FloatTensor(shape: [1, 3, size.height, size.width], library: library)
    matte = try FloatTensor(shape: [1, 1, size.height, size.width], library: library)
    current = try use.network.makeRequest(path)
    next = try use.network.makeRequest(path)

    var states: [FloatTensor] = []
    for request in [current, next] {
      try request.use(picture, as: Name.picture)
      try request.use(matte, as: Name.matte)
    }
    for (level, shape) in shapes.states.enumerated() {
      let read = try FloatTensor(shape: shape, library: library)
      let written = try FloatTensor(shape: shape, library: library)
      try current.use(read, as: Name.stateInputs[level])
      try current.use(written, as: Name.stateOutputs[level])
      try next.use(written, as: Name.stateInputs[level])
      try next.use(read, as: Name.stateOutputs[level])
      states += [read, written]
    }
    self.states = states
    // The other request has no memory of its own that would have to be touched.
    try current.rehearse(into: matte)
    forgetPast()
  }

  var inputTensor: UnsafeMutablePointer<Float> { unsafe picture.data }

  func infer() throws(SegmentationError) -> RawMatte {
    do {
      try current.run(into: matte)
    } catch {
      forgetPast()
      throw error
    }
    swap(&current, &next)
    return unsafe RawMatte(
      base: matte.data, width: inputFormat.width, height: inputFormat.height)
  }

  func forgetPast() {
    for state in states { state.fill(0) }
  }
}
