import PixelTypes
import TestSupport

@testable import PersonSelection

/// A textured room with painted people, for sequences that are compared bit by bit.
struct GoldenScene {
  /// A head and shoulders.
  struct Person {
    /// Identifies the face.
    var id = 1
    /// The column of the middle, as a share of the width.
    var x: Double
    /// The height of the person, as a share of the frame's height.
    var height = 0.8
    /// Whether the person looks at the camera.
    var hasFace = true
  }

  /// Something in the room that only some networks mistake for a person.
  struct Object {
    var x: Double, y: Double
    var size = 0.15
  }

  let format: FrameFormat
  /// The luma of the room.
  private let room: Raster<UInt8>
  private let clothes = Raster<UInt8>(texturedBy: 7, width: 400, height: 400)

  /// Makes the room for a seed.
  init(format: FrameFormat, seed: UInt64 = 1) {
    self.format = format
    room = Raster(texturedBy: seed, width: format.width, height: format.height)
  }

  /// Paints a frame in which later people hide earlier ones.
  ///
  /// `light` scales luma, and `noise` is the maximum error of a sample.
  func frame(
    _ people: [Person], _ objects: [Object] = [], light: Double = 1, noise: Int = 0, seed: UInt64
  ) -> TestPicture {
    let picture = TestPicture(format: format, padding: 3, (40, 90, 160))
    for object in objects {
      picture.paint((150, 70, 90)) { x, y in contains(x, y, object) }
    }
    for person in people {
      let green = UInt8(30 + 25 * (person.id % 3))
      picture.paint((190, green, 40)) { x, y in contains(x, y, person) }
    }
    var generator = SeededGenerator(seed: seed)
    picture.frame.luma.change { x, y, _ in
      var luma = 40 + Int(unsafe room.row(y)[x]) / 3
      for person in people where contains(x, y, person) {
        let (column, row) = (x - Int(person.x * Double(format.width)) + 1000, y + 37 * person.id)
        luma = 110 + Int(unsafe clothes.row(row % 400)[column % 400]) / 4
      }
      if noise > 0 { luma += Int(generator.next() % UInt64(2 * noise + 1)) - noise }
      return UInt8(min(max(16 + Double(luma - 16) * light, 16), 235))
    }
    return picture
  }

  /// The faces of people.
  func faces(_ people: [Person]) -> [Face] {
    people.filter { $0.hasFace }.map { person in
      let (x, y, _, radius) = head(person)
      return Face(x: x, y: y, width: 1.5 * radius)
    }
  }

  private func head(_ person: Person) -> (x: Double, y: Double, height: Double, width: Double) {
    let height = person.height * Double(format.height)
    return (
      person.x * Double(format.width), Double(format.height) - 0.78 * height, 0.22 * height,
      0.17 * height
    )
  }

  private func contains(_ x: Int, _ y: Int, _ person: Person) -> Bool {
    let (column, row, height, width) = head(person)
    let bottom = Double(format.height)
    return isInEllipse(x, y, column, row, width, height)
      || isInEllipse(
        x, y, column, bottom, 0.38 * person.height * bottom, 0.6 * person.height * bottom)
  }

  private func contains(_ x: Int, _ y: Int, _ object: Object) -> Bool {
    let (width, height) = (Double(format.width), Double(format.height))
    let radius = object.size * height / 2
    return isInEllipse(x, y, object.x * width, object.y * height, radius, radius)
  }

  private func isInEllipse(
    _ x: Int, _ y: Int, _ column: Double, _ row: Double, _ width: Double, _ height: Double
  ) -> Bool {
    let (across, down) = ((Double(x) - column) / width, (Double(y) - row) / height)
    return across * across + down * down <= 1
  }
}

extension Raster<UInt8> {
  /// Makes a raster of values from 0 to 200, with details some samples wide.
  fileprivate convenience init(texturedBy seed: UInt64, width: Int, height: Int) {
    self.init(width: width, height: height) { UInt8(MovingScene.texture($0, $1, seed: seed)) }
  }
}
