import PersonSelection

/// A face that is tracked from frame to frame.
struct TrackedFace: Equatable, Sendable {
  /// A unique number that stays with the face as long as it is tracked.
  var id: Int
  /// The face, smoothed over time.
  var face: Face
  /// The time of the first detection, in nanoseconds of the frames' time.
  var firstSeen: UInt64
  /// The time of the last detection.
  var lastSeen: UInt64
  /// The number of consecutive frames without a detection, 0 if the newest frame has one.
  var missed: Int
}

/// Matches the faces of a frame with earlier ones, and smooths them over time.
///
/// Each face is expected at the position that its speed predicts, which keeps faces apart that pass
/// each other. A face that is missed briefly keeps moving. In steady state nothing is allocated if
/// the caller keeps no earlier result. Not thread-safe.
final class FaceTracker {
  /// The time in nanoseconds for which a missed face is kept.
  let holdTime: UInt64

  private var tracks: [Track] = []
  private var result: [TrackedFace] = []
  private var isAssigned: [Bool] = []
  private var lastTime: UInt64 = 0
  private var nextID = 1

  private struct Track {
    let id: Int
    var smoothed: SmoothedFace
    let firstSeen: UInt64
    var lastSeen: UInt64
    var missed = 0
    var isMatched = true
  }

  /// The minimum number of misses after which a face is dropped.
  private static let minMisses = 2
  /// The maximum time in seconds over which the movement of a face is predicted.
  private static let maxStep: Float = 1

  /// Creates a tracker that keeps a face for `holdTime` nanoseconds after its last detection.
  init(holdTime: UInt64 = 400_000_000) {
    self.holdTime = holdTime
  }

  /// Forgets all faces: at a cut, at a seek, or if the next frame shows another scene.
  func reset() {
    tracks.removeAll(keepingCapacity: true)
  }

  /// Adds the faces of the frame at `time` nanoseconds, and returns the tracked ones.
  ///
  /// The result is in order of arrival. If the time goes back, all faces are new.
  func follow(_ faces: [Face], at time: UInt64) -> [TrackedFace] {
    if time < lastTime { reset() }
    let seconds = min(Float(time - min(lastTime, time)) / 1e9, Self.maxStep)
    lastTime = time
    match(faces, at: time, after: seconds)
    var kept = 0
    for index in tracks.indices {
      var track = tracks[index]
      if !track.isMatched {
        track.missed += 1
        track.smoothed.coast(for: seconds)
      }
      let isKept = track.missed < Self.minMisses || time - track.lastSeen <= holdTime
      if isKept, track.smoothed.face.isFinite {
        tracks[kept] = track
        kept += 1
      }
    }
    tracks.removeLast(tracks.count - kept)
    for (index, face) in faces.enumerated() where !isAssigned[index] {
      tracks.append(
        Track(id: nextID, smoothed: SmoothedFace(face), firstSeen: time, lastSeen: time))
      nextID += 1
    }
    result.removeAll(keepingCapacity: true)
    for track in tracks {
      result.append(
        TrackedFace(
          id: track.id, face: track.smoothed.face, firstSeen: track.firstSeen,
          lastSeen: track.lastSeen, missed: track.missed))
    }
    return result
  }

  /// Assigns the new faces to tracked ones, the best pair first.
  private func match(_ faces: [Face], at time: UInt64, after seconds: Float) {
    isAssigned.removeAll(keepingCapacity: true)
    for face in faces { isAssigned.append(!face.isFinite) }
    for index in tracks.indices { tracks[index].isMatched = false }
    while let (track, face) = bestPair(faces, after: seconds) {
      isAssigned[face] = true
      // Relative to the extrapolated position, so over the time since the previous frame.
      tracks[track].smoothed.add(faces[face], after: seconds)
      tracks[track].lastSeen = time
      tracks[track].missed = 0
      tracks[track].isMatched = true
    }
  }

  private func bestPair(_ faces: [Face], after seconds: Float) -> (track: Int, face: Int)? {
    var best: (track: Int, face: Int)?
    var minDistance = SmoothedFace.maxDistance
    for (index, track) in tracks.enumerated() where !track.isMatched {
      for (number, face) in faces.enumerated() where !isAssigned[number] {
        let distance = track.smoothed.distance(to: face, after: seconds)
        if distance < minDistance {
          minDistance = distance
          best = (index, number)
        }
      }
    }
    return best
  }
}
