import CGStreamer

extension VideoAnalyzer {
  /// Registers a function that is called with each result of an element.
  ///
  /// The element has to be one of this analyzer, or one that switches between it and others, and
  /// the analyzer has to be linked into the program. The registration lasts as long as the element.
  /// May be called on any thread.
  ///
  /// - Parameters:
  ///   - element: a GstElement, borrowed during the call.
  ///   - body: called on the analyzer's thread with a result and the timestamp of its frame. The
  ///     next analysis, and the thread that stops the stream, wait for its end: it must not wait
  ///     for them.
  /// - Returns: false if the element is of another kind.
  @unsafe public static func observe(
    _ element: UnsafeMutableRawPointer, _ body: @escaping @Sendable (Result, Duration?) -> Void
  ) -> Bool {
    guard let runner = unsafe runner(in: element) else { return false }
    runner.observers.withLock { $0.append(body) }
    return true
  }

  /// The runner behind an element, or behind a child of it, or nil if it has no such analyzer.
  ///
  /// Safety: `element` is a GstElement that lives during the call.
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
