#if canImport(Glibc)
  import Glibc
#endif

/// A face that is followed from frame to frame.
public struct TrackedFace: Equatable, Sendable {
  /// Stays with the face for as long as it is followed; no other face gets it.
  public var id: Int
  /// The face, smoothed over time.
  public var face: Face
  /// When it was seen first, in nanoseconds of the frames' time.
  public var firstSeen: UInt64
  /// When it was seen last.
  public var lastSeen: UInt64
  /// How many times in a row it was not seen; 0 when it is in the newest frame.
  public var missed: Int
}

/// Tells which of the faces of a frame is which of those before, and smooths them over time.
///
/// A face is followed to the position that its speed predicts, so two that pass each other stay
/// apart. One that is not seen for a moment goes on for that long. In steady state nothing is
/// allocated, as long as the caller keeps no earlier result. Used on one thread at a time.
public final class FaceTracker {
  /// For how many nanoseconds a face that is not seen stays.
  public let patience: UInt64

  private var tracks: [Track] = []
  private var result: [TrackedFace] = []
  private var isTaken: [Bool] = []
  private var lastTime: UInt64 = 0
  private var nextID = 1

  private struct Track {
    let id: Int
    var steady: SteadyFace
    let firstSeen: UInt64
    var lastSeen: UInt64
    var missed = 0
    var isMatched = true
  }

  /// Faces are taken for the same when they are nearer than this, in widths.
  private static let reach: Float = 0.8
  /// What it counts, in widths, when one is e times as wide as the other.
  private static let sizeWeight: Float = 0.5
  /// A face stays for so many frames at least, however far apart these are.
  private static let leastMisses = 2
  /// No face is followed farther than it gets in so many seconds.
  private static let longestStep: Float = 1

  /// Makes a tracker that keeps a face for `patience` nanoseconds after it was seen.
  public init(patience: UInt64 = 400_000_000) {
    self.patience = patience
  }

  /// Forgets all faces: at a cut, a seek and wherever the next frame is another scene's.
  public func reset() {
    tracks.removeAll(keepingCapacity: true)
  }

  /// Takes the faces of the frame at `time` nanoseconds and gives those that are followed now, in
  /// the order in which they came.
  ///
  /// When time goes back, all faces are new.
  public func follow(_ faces: [Face], at time: UInt64) -> [TrackedFace] {
    if time < lastTime { reset() }
    let seconds = min(Float(time - min(lastTime, time)) / 1e9, Self.longestStep)
    lastTime = time
    match(faces, at: time, after: seconds)
    var kept = 0
    for index in tracks.indices {
      var track = tracks[index]
      if !track.isMatched {
        track.missed += 1
        track.steady.coast(for: seconds)
      }
      let isKept = track.missed < Self.leastMisses || time - track.lastSeen <= patience
      if isKept, track.steady.face.isFinite {
        tracks[kept] = track
        kept += 1
      }
    }
    tracks.removeLast(tracks.count - kept)
    for (index, face) in faces.enumerated() where !isTaken[index] {
      tracks.append(
        Track(id: nextID, steady: SteadyFace(face), firstSeen: time, lastSeen: time))
      nextID += 1
    }
    result.removeAll(keepingCapacity: true)
    for track in tracks {
      result.append(
        TrackedFace(
          id: track.id, face: track.steady.face, firstSeen: track.firstSeen,
          lastSeen: track.lastSeen, missed: track.missed))
    }
    return result
  }

  /// Gives each followed face one of the new ones, beginning with the pair that fits best.
  private func match(_ faces: [Face], at time: UInt64, after seconds: Float) {
    isTaken.removeAll(keepingCapacity: true)
    for face in faces { isTaken.append(!face.isFinite) }
    for index in tracks.indices { tracks[index].isMatched = false }
    while let (track, face) = bestPair(faces, after: seconds) {
      isTaken[face] = true
      // Over the time since it was seen: what it went on for meanwhile is a guess.
      tracks[track].steady.add(faces[face], after: seconds)
      tracks[track].lastSeen = time
      tracks[track].missed = 0
      tracks[track].isMatched = true
    }
  }

  private func bestPair(_ faces: [Face], after seconds: Float) -> (track: Int, face: Int)? {
    var best: (track: Int, face: Int)?
    var least = Self.reach
    for (index, track) in tracks.enumerated() where !track.isMatched {
      let expected = track.steady.box(after: seconds)
      for (number, face) in faces.enumerated() where !isTaken[number] {
        let distance = Self.distance(expected, face.box)
        if distance < least {
          least = distance
          best = (index, number)
        }
      }
    }
    return best
  }

  /// How little two boxes look like the same face's, in widths.
  private static func distance(_ a: FaceBox, _ b: FaceBox) -> Float {
    let width = max((a.width + b.width) / 2, 1)
    let way = hypotf(a.center.x - b.center.x, a.center.y - b.center.y) / width
    return way + sizeWeight * abs(logf(max(a.width, 1) / max(b.width, 1)))
  }
}
