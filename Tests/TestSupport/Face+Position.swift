import PersonSelection

extension Face {
  /// A face whose keypoints are unknown.
  package init(x: Double, y: Double, width: Double) {
    let center = FacePoint(x: Float(x), y: Float(y))
    self.init(box: FaceBox(center: center, width: Float(width), height: Float(width)), score: 1)
  }
}
