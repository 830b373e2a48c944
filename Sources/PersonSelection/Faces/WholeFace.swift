import Glibc

extension Face {
  /// The whole face in shares of the network's box, which begins at half of the forehead.
  ///
  /// Fitted to fifty boxes that were read from pictures of five people.
  private enum Share {
    static let width: Float = 0.95
    static let height: Float = 1.26
    static let upward: Float = 0.12
  }

  /// This face, with a box that surrounds the whole face.
  ///
  /// The box spans from the hairline to the chin and from cheek to cheek, as in WIDER FACE (Yang et
  /// al. 2016).
  package var whole: Face {
    var face = self
    // Upward with respect to the tilted face.
    face.box.center.x += Share.upward * box.width * sinf(roll)
    face.box.center.y -= Share.upward * box.height * cosf(roll)
    face.box.width *= Share.width
    face.box.height *= Share.height
    return face
  }
}
