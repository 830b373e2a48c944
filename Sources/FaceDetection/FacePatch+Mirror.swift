import InferenceTypes

extension FacePatch {
  /// Replaces the columns before `first` and from `end` on by the mirror image of those between them,
  /// in an input tensor of `FacePatchNetwork`.
  ///
  /// The tensor is the caller's for as long as this takes. Nothing is done where nothing lies between.
  @unsafe static func mirror(
    _ tensor: UnsafeMutablePointer<Float>, before first: Int, from end: Int
  ) {
    let (first, end) = (max(first, 0), min(end, inputSize))
    guard first > 0 || end < inputSize, end > first else { return }
    for row in 0..<3 * inputSize {
      let row = unsafe tensor + row * inputSize
      for x in 0..<first { unsafe row[x] = row[min(2 * first - 1 - x, end - 1)] }
      for x in end..<inputSize { unsafe row[x] = row[max(2 * end - 1 - x, first)] }
    }
  }
}
