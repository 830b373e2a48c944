/// How long backgrounds are waited for.
package struct BackgroundPatience: Sendable {
  /// How long the start of the element waits for a local one.
  ///
  /// Nothing can interrupt the start: a state change waits for the one before it. What takes longer is
  /// waited for by the first frame.
  package var start = Duration.seconds(2)
  /// How long one may take to open, and to show its first picture.
  package var open = Duration.seconds(20)

  /// Makes the patience that backgrounds are waited with unless a test says otherwise.
  package init() {}
}
