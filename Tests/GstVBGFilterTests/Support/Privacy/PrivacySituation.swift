import PixelTypes
import TestSupport

/// A clip in which a stale matte would show the room, with the true position of the person per
/// frame.
///
/// The person is from the sample picture and the rooms are rendered, so the ground truth is exact.
enum PrivacySituation: String, CaseIterable {
  case cutToAnEmptyRoom, cutToSomeoneElsewhere, vanish, vanishInTheDark, walkOut, lightOff, pan

  /// The number of frames, 30 per second, and the frame in which the event happens.
  static let frames = 40, event = 12

  /// A frame to render, with the person's offset to the right, or nil without a person.
  struct Shot {
    var room = 0
    var personX: Int? = 0
    var roomX = 0
    var light = 1.0
  }

  /// Returns the contents of frame `number`.
  func shot(_ number: Int) -> Shot {
    // A talking person is never quite still.
    var shot = Shot(personX: [0, 1, 2, 2, 1, 0, -1, -2, -2, -1][number % 10])
    // A plain wall at a third of the light.
    if self == .vanishInTheDark { (shot.room, shot.light) = (2, 0.3) }
    let past = number - Self.event
    guard past >= 0 else { return shot }
    switch self {
    case .cutToAnEmptyRoom: shot = Shot(room: 1, personX: nil)
    case .cutToSomeoneElsewhere: shot = Shot(room: 1, personX: 120)
    case .vanish, .vanishInTheDark: shot.personX = nil
    case .walkOut: shot.personX = 25 * past < 640 ? 25 * past : nil
    case .lightOff: shot.light = 0.3
    case .pan: (shot.personX, shot.roomX) = (15 * past < 560 ? -15 * past : nil, 15 * past)
    }
    return shot
  }
}

/// Renders shots of the sample person in front of one of three rooms, at 640x360.
struct ShotRenderer {
  let format: FrameFormat
  private let person: TestPicture
  private let isPerson: [Bool]
  /// The pixels in which a matte may show the person.
  ///
  /// They are within 4 pixels of the person, or 8 at 720 lines.
  private let nearPerson: [Bool]
  private let rooms: [TestPicture]

  init() throws {
    let large = try Sample.person.picture(.landscape)
    let silhouette = try Framing.landscape.silhouette()
    let (width, height) = (large.format.width / 2, large.format.height / 2)
    let format = FrameFormat(width: width, height: height, colorimetry: large.format.colorimetry)
    self.format = format
    let person = TestPicture(format: format)
    var isPerson = [Bool](repeating: false, count: width * height)
    var isNotRoom = isPerson
    for y in 0..<height {
      for x in 0..<width {
        let part = silhouette[2 * x, 2 * y]
        unsafe person.frame.luma.row(y)[x] = UInt8(large.luma(2 * x, 2 * y))
        let chroma = large.chroma(2 * x, 2 * y)
        if x % 2 == 0, y % 2 == 0 {
          unsafe person.frame.chroma.row(y / 2)[x] = UInt8(chroma.cb)
          unsafe person.frame.chroma.row(y / 2)[x + 1] = UInt8(chroma.cr)
        }
        isPerson[y * width + x] = part == .person
        isNotRoom[y * width + x] = part != .room
      }
    }
    self.person = person
    self.isPerson = isPerson
    nearPerson = Self.grow(isNotRoom, width, height, by: 4)
    let walls = (0..<2).map { Self.room(format, seed: UInt64(31 + $0), darkest: 40 + 70 * $0) }
    rooms = walls + [Self.room(format, seed: 33, darkest: 200, contrast: 1)]
  }

  private static func grow(_ mask: [Bool], _ width: Int, _ height: Int, by reach: Int) -> [Bool] {
    var grown = mask
    for y in 0..<height {
      for x in 0..<width where mask[y * width + x] {
        for row in max(y - reach, 0)...min(y + reach, height - 1) {
          for column in max(x - reach, 0)...min(x + reach, width - 1) {
            grown[row * width + column] = true
          }
        }
      }
    }
    return grown
  }

  /// Returns a wall of light and dark blocks, twice as wide as a frame.
  private static func room(
    _ format: FrameFormat, seed: UInt64, darkest: Int, contrast: Int = 90
  ) -> TestPicture {
    let wide = FrameFormat(
      width: 2 * format.width, height: format.height, colorimetry: format.colorimetry)
    let picture = TestPicture(format: wide, (150, 140, 120))
    var generator = SeededGenerator(seed: seed)
    for y in stride(from: 0, to: wide.height, by: 40) {
      for x in stride(from: 0, to: wide.width, by: 32) {
        let level = Int.random(in: 0..<contrast, using: &generator)
        for row in y..<min(y + 40, wide.height) {
          for column in x..<x + 32 {
            let grain = (row * 7 + column * 3) % 11
            unsafe picture.frame.luma.row(row)[column] = UInt8(darkest + level + grain)
          }
        }
      }
    }
    return picture
  }

  /// Renders a shot.
  func picture(_ shot: PrivacySituation.Shot) -> TestPicture {
    let picture = TestPicture(format: format)
    let room = rooms[shot.room]
    for y in 0..<format.height {
      let (luma, chroma) = unsafe (picture.frame.luma.row(y), picture.frame.chroma.row(y / 2))
      for x in 0..<format.width {
        let own = x - (shot.personX ?? format.width)
        let shows = 0..<format.width ~= own && isPerson[y * format.width + own]
        let source = shows ? person : room
        let column = shows ? own : (x + shot.roomX) % (2 * format.width)
        unsafe luma[x] = UInt8(Double(source.luma(column, y)) * shot.light)
        guard x % 2 == 0, y % 2 == 0 else { continue }
        let color = source.chroma(column, y)
        unsafe chroma[x] = UInt8(128 + Double(color.cb - 128) * shot.light)
        unsafe chroma[x + 1] = UInt8(128 + Double(color.cr - 128) * shot.light)
      }
    }
    return picture
  }

  /// Returns the share of the frame that a matte shows although the person is not near.
  func shareOfRoomShown(by matte: TestPicture, of shot: PrivacySituation.Shot) -> Double {
    var count = 0
    for y in 0..<format.height {
      for x in 0..<format.width where matte.luma(x, y) > 125 {
        let own = x - (shot.personX ?? 2 * format.width)
        let isNear = 0..<format.width ~= own && nearPerson[y * format.width + own]
        if !isNear { count += 1 }
      }
    }
    return Double(count) / Double(format.width * format.height)
  }
}
