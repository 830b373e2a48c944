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
    /// The network of the crops at a coarser size.
    case coarseCrop
    /// Finds people in the full frame and in tiles.
    case peopleFinder
  }

  /// The use of a pass.
  enum Purpose {
    /// Settles the network's memory. The matte is discarded.
    case warmUp
    /// Finds people in the full frame, so that the crop contains them all.
    case findPeople
    /// Makes a matte that only chooses the crop of the first frame.
    case firstMatte
    /// Makes the matte.
    case matte
    /// Makes the matte of the people in the crop, who may extend beyond it.
    case matteOfCrop
    /// Makes the matte of one more person. Overlapping samples get the greater alpha.
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
  let checker: Network?
  /// Whether the last matte of the network is of this frame and region.
  let isDone: Bool
}
