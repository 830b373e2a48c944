import CGStreamer

extension VideoAnalyzer {
  /// Registers a function that is called with each result of an element.
  ///
  /// The element must run this analyzer, or be a switcher with this analyzer. The analyzer must be
  /// linked into the program. The function stays registered until the element is freed.
  /// Thread-safe.
  ///
  /// - Parameters:
  ///   - element: a GstElement, which must be alive during the call.
  ///   - body: called on the analyzer's thread with a result and the timestamp of its frame. The
  ///     next analysis, and the thread that stops the stream, wait until `body` returns. So `body`
  ///     must not wait for them.
  /// - Returns: false if the element does not have this analyzer.
  @unsafe public static func observe(
    _ element: UnsafeMutableRawPointer, _ body: @escaping @Sendable (Result, Duration?) -> Void
  ) -> Bool {
    guard
      let object = unsafe FilterElement.behind(element.assumingMemoryBound(to: GstElement.self))
    else { return false }
    let objects = unsafe [object] + object.children.compactMap { unsafe FilterElement.behind($0) }
    guard let runner = objects.compactMap(\.runner).first(where: { $0.type == Self.self })
    else { return false }
    runner.observers.withLock { observers in
      observers.append { result, timestamp in
        if let result = result as? Result { body(result, timestamp) }
      }
    }
    return true
  }
}
