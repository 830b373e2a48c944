/// A copy of a frame's samples, to restore it after a filter fails.
struct FrameBackup {
  private var samples: [UInt8] = []

  /// Copies the samples of a frame, and reuses the memory of the previous copy.
  mutating func keep(_ frame: inout VideoFrame) {
    samples.removeAll(keepingCapacity: true)
    frame.forEachPlane { plane in
      for y in 0..<plane.height {
        unsafe plane.samples(ofRow: y).withUnsafeBufferPointer { row in
          unsafe samples.append(contentsOf: row)
        }
      }
    }
  }

  /// Writes the copy back to the frame that was passed to `keep`.
  func restore(_ frame: inout VideoFrame) {
    var start = 0
    frame.forEachPlane { plane in
      plane.forEachRow { row, _ in
        for x in row.indices { row[x] = samples[start + x] }
        start += row.count
      }
    }
  }
}
