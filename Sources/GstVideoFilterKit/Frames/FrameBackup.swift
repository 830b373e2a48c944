/// A copy of a frame's samples, to restore it after a filter fails.
struct FrameBackup {
  private var samples: [UInt8] = []

  /// Copies the samples of a frame, and reuses the memory of the previous copy.
  mutating func keep(_ frame: inout VideoFrame) {
    samples.removeAll(keepingCapacity: true)
    append(&frame.luma)
    append(&frame.chroma.interleaved)
    append(&frame.chroma.cb)
    append(&frame.chroma.cr)
    append(&frame.pixels)
  }

  /// Writes the copy back to the frame that was passed to `keep`.
  func restore(_ frame: inout VideoFrame) {
    var start = 0
    write(&frame.luma, &start)
    write(&frame.chroma.interleaved, &start)
    write(&frame.chroma.cb, &start)
    write(&frame.chroma.cr, &start)
    write(&frame.pixels, &start)
  }

  private mutating func append(_ plane: inout FramePlane) {
    for y in 0..<plane.height {
      unsafe plane.samples(ofRow: y).withUnsafeBufferPointer { row in
        unsafe samples.append(contentsOf: row)
      }
    }
  }

  private func write(_ plane: inout FramePlane, _ start: inout Int) {
    for y in 0..<plane.height {
      var row = plane.row(y)
      unsafe row.withUnsafeMutableBufferPointer { row in
        for x in row.indices { unsafe row[x] = samples[start + x] }
      }
      start += plane.width
    }
  }
}
