import PixelTypes

extension VirtualBackgroundEngine {
  /// What an engine takes for frames of a format, whatever the settings, in bytes at most.
  ///
  /// Its own memory: that of the network, of plates and of the frames themselves is not counted. For
  /// networks that look at up to a million pixels; those that look at more take more.
  public static func memory(for format: FrameFormat) -> Int {
    let pixels = format.width * format.height
    // 7 bytes per pixel: four of a kept result, the rest for the upright frame and other rasters.
    // 48 bytes per sample of the matte's grid, which is at most twice as fine as the network's
    // input in both directions. Then tables.
    return 7 * pixels + 48 * min(pixels, 4 << 20) + (8 << 20)
  }
}
