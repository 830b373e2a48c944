import InferenceTypes

extension FaceMaps {
  /// Makes black the columns before `first` and from `end` on, in an input tensor of `FaceMapNetwork`.
  ///
  /// The tensor is the caller's for as long as this takes.
  @unsafe static func blacken(
    _ tensor: UnsafeMutablePointer<Float>, before first: Int, from end: Int
  ) {
    let (first, end) = (min(max(first, 0), input.width), min(max(end, 0), input.width))
    guard first > 0 || end < input.width else { return }
    for row in 0..<3 * input.height {
      let row = unsafe tensor + row * input.width
      for x in 0..<first { unsafe row[x] = 0 }
      for x in end..<input.width { unsafe row[x] = 0 }
    }
  }
}
