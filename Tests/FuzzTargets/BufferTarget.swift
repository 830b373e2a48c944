import TestSupport

extension FuzzTarget {
  /// Pushes buffers with any metadata through an element that finds no person.
  func pushBuffers(_ bytes: [UInt8]) throws(Finding) {
    var input = FuzzInput(bytes)
    let filter = FuzzFilter(&input)
    for _ in 0..<12 where !input.isAtEnd {
      switch input.integer(in: 0...9) {
      case 0: filter.negotiate(&input)
      case 1: filter.set(&input)
      case 2: filter.flush()
      default: try push(&input, into: filter)
      }
    }
  }

  /// Throws if any of the room is output, or if a shared buffer was written.
  private func push(_ input: inout FuzzInput, into filter: FuzzFilter) throws(Finding) {
    guard let buffer = unsafe HostileBuffer(&input, for: filter.info) else { return }
    let kept = input.flag(onceIn: 4) ? buffer.keep() : nil
    _ = unsafe filter.push(buffer.release())
    if let kept {
      try expect(kept.isUntouched, "the element wrote to a buffer that is shared")
    }
    while let output = filter.pull() {
      if filter.hidesRoom {
        let place = output.placeOfRoom
        try expect(
          place == nil,
          "the output shows the room: \(place ?? ""), \(filter.format), \(filter.settings)")
      }
    }
  }
}
