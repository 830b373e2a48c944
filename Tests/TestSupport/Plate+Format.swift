import Compositing
import PixelTypes

extension Plate {
  /// Allocates a plate and lets `paint` fill its planes.
  ///
  /// Ends the process if there is not enough memory.
  package convenience init(format: FrameFormat, paint: (Frame) -> Void) {
    do throws(OutOfMemory) {
      try self.init(allocating: format) { (frame) throws(OutOfMemory) in paint(frame) }
    } catch {
      fatalError("\(error)")
    }
  }
}
