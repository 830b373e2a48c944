import PixelTypes

/// One run of a network on a part of the frame.
struct Pass {
  /// The role of a network in the segmentation of a stream.
  ///
  /// One network can have two roles.
  enum Network {
    /// Computes the mattes of full frames.
    case wholeFrame
    /// Computes the mattes of crops.
    case crop
    /// Computes coarser mattes of crops: the network of `crop` at a smaller input size.
    case coarseCrop
    /// Finds people in the full frame and in tiles.
    case peopleFinder
    /// Confirms people together with `peopleFinder`.
    case witness
  }

  /// The purpose of a pass.
  enum Purpose {
    /// Warms up the state of a recurrent network. The matte is discarded.
    case warmUp
    /// Finds people in the full frame, so that the crop contains all of them.
    case findPeople
    /// Computes a matte that only determines the crop of the first frame.
    case firstMatte
    /// Computes the matte of the frame.
    case matte
    /// Computes the matte of the people in the crop. They may extend beyond the crop.
    case matteOfCrop
    /// Computes the matte of another person. Overlapping samples get the greater alpha.
    case furtherPerson
    /// Adds parts of people that the matte misses.
    case recovery
    /// Finds people in a tile.
    case searchTile
    /// Computes the matte of the people in a tile, to confirm the result of `searchTile`.
    case confirmTile
  }

  let purpose: Purpose
  let network: Network
  /// The part of the frame that the network processes.
  let region: PixelRegion
  /// The network that checks the matte, or nil without a check.
  let checker: Network?
  /// Whether the network has already run on this region of this frame.
  let isDone: Bool
}
