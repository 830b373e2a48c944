/// The networks that find the people of a stream together.
///
/// Used on one thread at a time.
public struct Segmenters {
  /// Makes the mattes of whole frames.
  public var wholeFrame: any Segmenter
  /// Has a closer look where the people are; nil when the whole frame is always looked at.
  public var closeUp: CloseUp?

  /// How the part of the frame that shows the people is looked at.
  public struct CloseUp {
    /// Makes the mattes of parts of frames; may be the one that makes those of whole frames.
    public var segmenter: any Segmenter
    /// Looks over the whole frame now and then, for people outside of the part; may be the one that
    /// makes the mattes of whole frames.
    public var overview: any Segmenter
    /// Looks at the part now and then, too, for what the segmenter has lost of the people; one that
    /// runs at a smaller size, nil where there is none.
    public var coarse: (any Segmenter)?
    /// How much of a frame the segmenter likes to see.
    public var framing: Framing

    /// Makes a description.
    public init(
      segmenter: any Segmenter, overview: any Segmenter, coarse: (any Segmenter)? = nil,
      framing: Framing
    ) {
      self.segmenter = segmenter
      self.overview = overview
      self.coarse = coarse
      self.framing = framing
    }
  }

  /// Makes a set of networks.
  public init(wholeFrame: any Segmenter, closeUp: CloseUp? = nil) {
    self.wholeFrame = wholeFrame
    self.closeUp = closeUp
  }
}
