/// The networks that find the people of a stream together.
///
/// Used on one thread at a time.
public struct Segmenters {
  /// Makes the mattes of whole frames.
  public var wholeFrame: any Segmenter
  /// Has a closer look where the people are; nil when the whole frame is always looked at.
  public var crop: Crop?

  /// How the part of the frame that shows the people is looked at.
  public struct Crop {
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
  public init(wholeFrame: any Segmenter, crop: Crop? = nil) {
    self.wholeFrame = wholeFrame
    self.crop = crop
  }
}

/// How much around the people a network likes to see.
public struct Framing: Equatable, Sendable {
  /// Margin around them, as a share of their larger extent, or of their height where they are far.
  public var margin: Double
  /// A part of more than this share of the frame is no better than all of it.
  public var maxShare: Double

  /// Makes a description.
  public init(margin: Double, maxShare: Double) {
    self.margin = margin
    self.maxShare = maxShare
  }
}

/// What the inferences of a frame take on this machine.
public struct InferenceCost: Equatable, Sendable {
  /// Nanoseconds from their beginning to their end.
  public var time: UInt64
  /// Nanoseconds of one core, on all threads.
  public var processorTime: UInt64

  /// Makes a cost.
  public init(time: UInt64, processorTime: UInt64) {
    self.time = time
    self.processorTime = processorTime
  }
}
