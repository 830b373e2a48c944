import PixelTypes

/// The samples at which something was shown to be no person, a chair for example.
///
/// While the network is in doubt of such a sample it stays empty: it would flicker, for what is
/// there is now over the threshold of a part and now under it, now a part of its own and now linked
/// with the person. What the network is sure of is not touched.
final class RejectedSamples {
  /// What a sample is set to when it is rejected: the ticks of a `MatteClock` until it is
  /// forgotten.
  ///
  /// A chair stands longer, but is rejected again.
  private static let most = UInt8(MatteClock.ticks(seconds: 4))
  /// How much faster that goes where the network is not in doubt.
  private static let sureStep: UInt8 = 8
  /// The same where a part is kept: it may be linked with what is wrong for an inference or two,
  /// but a person who has come there is not to have holes for longer.
  private static let partStep: UInt8 = 40
  /// The suppression fades below this.
  private static let fading: UInt8 = 32
  /// Alpha from which on nothing is taken away, and how much less must go wholly.
  private static let sure: Int32 = 224, unsure: Int32 = 64

  /// The least alpha of a sample that belongs to a part.
  private let threshold: UInt8
  private let memory: Raster<UInt8>
  /// Whether a row has a sample that is not forgotten.
  private var rows: [Bool]

  /// Allocates memory for mattes on `grid`, whose parts have an alpha of at least `threshold`.
  init(grid: MatteGrid, threshold: UInt8) {
    self.threshold = threshold
    memory = Raster(width: grid.width, height: grid.height, filledWith: 0)
    rows = Array(repeating: false, count: grid.height)
  }

  /// Forgets all.
  func forgetPast() {
    memory.fill(with: 0)
    for y in rows.indices { rows[y] = false }
  }

  /// What is at a sample is no person.
  func reject(_ sample: Int) {
    unsafe memory.base[sample] = Self.most
    rows[sample / memory.width] = true
  }

  /// Empties what the network is in doubt of at such samples of `matte`, and forgets a little: what
  /// is to be forgotten in so many ticks.
  func suppress(_ matte: Raster<UInt8>, forgetting ticks: Int) {
    func inAll(_ step: UInt8) -> UInt8 { UInt8(min(Int(step) * max(ticks, 0), Int(Self.most))) }
    let (slow, sure, part) = (inAll(1), inAll(Self.sureStep), inAll(Self.partStep))
    for y in rows.indices where rows[y] {
      let (row, remembered) = unsafe (matte.row(y), memory.row(y))
      var isKnown = false
      for x in 0..<memory.width where unsafe remembered[x] > 0 {
        let (alpha, memory) = unsafe (row[x], remembered[x])
        let isDoubtful = MatteHistory.doubtful.contains(alpha)
        let step = alpha >= threshold ? part : isDoubtful ? slow : sure
        unsafe remembered[x] = max(memory, step) - step
        isKnown = true
        let weight = Int32(min(memory, Self.fading))
        let doubt = min(max(Self.sure - Int32(alpha), 0), Self.unsure)
        let whole = Int32(Self.fading) * Self.unsure
        unsafe row[x] = UInt8(Int32(alpha) * (whole - weight * doubt) / whole)
      }
      rows[y] = isKnown
    }
  }
}
