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
    guard let runner = unsafe runner(in: element) else { return false }
    runner.observers.withLock { $0.append(body) }
    return true
  }

  /// Returns this analyzer's runner in an element or its children, or nil if there is no runner.
  ///
  /// Safety: `element` must be a GstElement that is alive during the call.
  @unsafe private static func runner(
    in element: UnsafeMutableRawPointer
  ) -> AnalyzerRunner<Self>? {
    guard
      let object = unsafe FilterElement.behind(element.assumingMemoryBound(to: GstElement.self))
    else { return nil }
    if let single = object as? SingleElement { return single.runner as? AnalyzerRunner }
    return unsafe object.children.lazy.compactMap { child in
      unsafe (FilterElement.behind(child) as? SingleElement)?.runner as? AnalyzerRunner
    }.first
  }
}
