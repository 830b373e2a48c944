import PixelTypes
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// Pictures of a red person in a room of noise, in which every byte identifies its origin.
enum NoisyRoom {
  /// The bytes of a frame's memory outside the picture.
  static let junk: [UInt8] = {
    var random = SeededGenerator(seed: 77)
    return random.bytes(1 << 14)
  }()

  /// Maximum distance from the person at which the room may be visible, in pixels.
  ///
  /// It is the size of one sample of the fake network or of the matte.
  static func margin(_ width: Int) -> Int { max(2, width / 16) }

  /// Paints the picture in a stream's format.
  ///
  /// It is the same in each call.
  static func picture(_ format: FrameFormat) -> TestPicture {
    let picture = TestPicture(format: format)
    var random = SeededGenerator(seed: UInt64(format.width << 16 | format.height))
    let red = format.colorimetry.codeValues(red: 210, green: 20, blue: 30)
    let (luma, chroma) = (picture.frame.luma, picture.frame.chroma)
    for y in 0..<luma.height {
      for x in 0..<luma.width {
        let noise = UInt8.random(in: 30...225, using: &random)
        unsafe luma.row(y)[x] = Room.isPerson(x, width: format.width) ? red.luma : noise
      }
    }
    for y in 0..<chroma.height {
      for x in stride(from: 0, to: chroma.width, by: 2) {
        let isRed = Room.isPerson(x, width: format.width)
        let noise = (
          cb: UInt8.random(in: 40...140, using: &random),
          cr: UInt8.random(in: 60...110, using: &random)
        )
        unsafe chroma.row(y)[x] = isRed ? red.cb : noise.cb
        unsafe chroma.row(y)[x + 1] = isRed ? red.cr : noise.cr
      }
    }
    return picture
  }

  /// Returns the bytes that must not leave: the junk, and the room in each input format.
  static func secrets(of format: FrameFormat) -> Secrets {
    let size = [format.width, format.height]
    if let known = knownSecrets.current[size] { return known }
    let secrets = findSecrets(of: format)
    knownSecrets.change { $0[size] = secrets }
    return secrets
  }

  private static let knownSecrets = Monitor<[[Int]: Secrets]>([:])

  private static func findSecrets(of format: FrameFormat) -> Secrets {
    var secrets = Secrets()
    secrets.insert(junk)
    let picture = picture(format)
    for pixelFormat in PixelFormat.allCases where pixelFormat.isInput {
      let planes = TestPlanes(pixelFormat, format: format)
      planes.take(picture)
      for number in 0..<pixelFormat.planeCount {
        // Bytes per sample of this plane, and columns of the picture per sample.
        let plane = planes.planes[number]
        let bytesPerSample =
          (number > 0 && pixelFormat.planeCount == 2 ? 2 : 1) * (pixelFormat == .p010 ? 2 : 1)
        let pixelsPerSample = number == 0 ? 1 : 2
        // Runs also cover the end of one row and the start of the next, which are adjacent in
        // memory.
        var run: [UInt8] = []
        for y in 0..<plane.height {
          for index in 0..<plane.width {
            let x = index / bytesPerSample * pixelsPerSample
            if isRoom(x, width: format.width) {
              run.append(unsafe plane.row(y)[index])
            } else if !run.isEmpty {
              secrets.insert(run)
              run = []
            }
          }
        }
        secrets.insert(run)
      }
    }
    return secrets
  }

  /// Whether a pixel shows the room outside the margin around the person.
  static func isRoom(_ x: Int, width: Int) -> Bool {
    let margin = margin(width)
    return !(-margin...margin).contains { Room.isPerson(x + $0, width: width) }
  }

  /// Returns the share of the room's noise that is visible: 1 in the raw picture, 0 if hidden.
  ///
  /// This is the slope of a pixel's luma over the raw pixel's luma. A blur with a sigma of s pixels
  /// leaves 1 / (2 pi s^2) of white noise.
  static func exposure(of picture: TestPlanes) -> Double {
    let format = picture.format
    let raw = Self.picture(format)
    var (count, sumX, sumY, sumXX, sumXY) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for y in 0..<format.height {
      for x in 0..<format.width where isRoom(x, width: format.width) {
        let value = (x: Double(raw.luma(x, y)), y: Double(Room.luma(picture, x, y)))
        count += 1
        sumX += value.x
        sumY += value.y
        sumXX += value.x * value.x
        sumXY += value.x * value.y
      }
    }
    guard count > 1 else { return 0 }
    return abs((count * sumXY - sumX * sumY) / (count * sumXX - sumX * sumX))
  }
}
