/// The networks that segment one stream.
///
/// Use them on one thread at a time.
public struct Segmenters {
  /// The network for whole frames.
  public var wholeFrame: any Segmenter
  /// The networks for a crop around the people, or nil if only whole frames are segmented.
  public var crop: Crop?

  /// The networks for a crop around the people.
  public struct Crop {
    /// The network for crops, which may be the same as `wholeFrame`.
    public var segmenter: any Segmenter
    /// The network of the full-frame passes, which find people outside of the crop.
    ///
    /// May be the same as `wholeFrame`.
    public var peopleFinder: any Segmenter
    /// The network of the low-resolution passes over the crop, or nil without such passes.
    ///
    /// The passes find parts of people that `segmenter` missed.
    public var coarse: (any Segmenter)?
    /// The network that confirms people together with `peopleFinder`, or nil without confirmation.
    ///
    /// Its recurrent state is reset before each inference, so it must be a separate object if
    /// `segmenter` has one.
    public var witness: (any Segmenter)?
    /// The margin around the people that suits `segmenter`.
    public var margins: CropMargins

    /// Creates a description of the networks for crops.
    public init(
      segmenter: any Segmenter, peopleFinder: any Segmenter, coarse: (any Segmenter)? = nil,
      witness: (any Segmenter)? = nil, margins: CropMargins
    ) {
      (self.segmenter, self.peopleFinder) = (segmenter, peopleFinder)
      (self.coarse, self.witness, self.margins) = (coarse, witness, margins)
    }
  }

  /// Creates a set of networks.
  public init(wholeFrame: any Segmenter, crop: Crop? = nil) {
    (self.wholeFrame, self.crop) = (wholeFrame, crop)
  }
}

/// The margin around the people that suits a network.
public struct CropMargins: Equatable, Sendable {
  /// Margin as a share of the people's larger extent, or of their height if they are far away.
  public var margin: Double
  /// The maximum share of the frame for a crop.
  ///
  /// A larger crop has no advantage over the whole frame, which is used instead.
  public var maxShare: Double

  /// Creates margins.
  public init(margin: Double, maxShare: Double) {
    (self.margin, self.maxShare) = (margin, maxShare)
  }
}

/// The cost of the inferences per frame on this machine.
public struct InferenceCost: Equatable, Sendable {
  /// Wall-clock time in nanoseconds.
  public var time: UInt64
  /// CPU time of all threads in nanoseconds.
  public var processorTime: UInt64

  /// Creates a cost.
  public init(time: UInt64, processorTime: UInt64) {
    (self.time, self.processorTime) = (time, processorTime)
  }
}
