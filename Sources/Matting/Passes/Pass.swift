import PixelTypes

/// A run of a network on a part of the frame.
struct Pass {
  /// A network's part in the segmentation of a stream.
  ///
  /// Two roles can share one network.
  enum Network {
    /// Makes the mattes of full frames.
    case wholeFrame
    /// Makes the mattes of crops.
    case crop
    /// The network of the crops at a smaller size.
    case smallCrop
    /// Finds people in the full frame and in tiles.
    case overview
  }

  /// The use of a pass.
  enum Purpose {
    /// The network gets used to the stream, and its matte is not used.
    case warmUp
    /// Finds people in the full frame, so that the crop contains them all.
    case findPeople
    /// Makes the matte, and chooses the crop by it.
    case firstMatte
    /// Makes the matte.
    case matte
    /// Makes the matte of the people in the crop, who may extend beyond it.
    case matteOfCrop
    /// Makes the matte of one more person. The greater alpha counts.
    case furtherPerson
    /// Adds parts of people that the matte misses.
    case recovery
    /// Finds people in a tile.
    case searchTile
    /// Makes the matte of the people in a tile, if there are any.
    case confirmTile
  }

  let purpose: Purpose
  let network: Network
  /// The part of the frame that the network sees.
  let region: PixelRegion
  /// The network that checks the matte, or nil without a check.
  var checker: Network?
  /// Whether the last matte of the network is of this frame and region.
  var isDone = false
}
