/// The places of pixels after a stored picture is turned upright, listed for each orientation.
package enum TurnedPlace {
  /// The Exif values of the orientations.
  package static let orientations = 1...8

  /// Returns the upright place of a pixel in a stored picture of `width` and `height`.
  package static func upright(
    _ x: Int, _ y: Int, width: Int, height: Int, orientation: Int
  ) -> (x: Int, y: Int) {
    let (right, bottom) = (width - 1, height - 1)
    return switch orientation {
    case 2: (right - x, y)
    case 3: (right - x, bottom - y)
    case 4: (x, bottom - y)
    case 5: (y, x)
    case 6: (bottom - y, x)
    case 7: (bottom - y, right - x)
    case 8: (y, right - x)
    default: (x, y)
    }
  }
}
