import CGStreamer

extension VideoAnalyzer {
  /// Has a function called with each result of an element of this analyzer, or of one that switches
  /// between it and others.
  ///
  /// It works for elements whose filters are linked into the program, and lasts as long as the
  /// element.
  ///
  /// - Parameters:
  ///   - element: a GstElement, which is only looked at during the call.
  ///   - body: called on the analyzer's thread, with the timestamp of the frame. The next analysis
  ///     waits for its end; so does whoever stops the stream, for whom it must not wait in turn.
  /// - Returns: false when the element is another.
  @unsafe public static func observe(
    _ element: UnsafeMutableRawPointer, _ body: @escaping @Sendable (Result, Duration?) -> Void
  ) -> Bool {
    guard let runner = unsafe runner(in: element) else { return false }
    runner.observers.withLock { $0.append(body) }
    return true
  }

  /// The runner behind an element, or behind a child of it; nil when none is of this analyzer.
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
