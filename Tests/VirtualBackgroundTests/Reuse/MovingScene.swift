import PixelTypes
import TestSupport

/// A square person in front of a room.
///
/// Each has its own texture.
struct MovingScene {
  static let extent = 80
  let width: Int, height: Int
  private let room: Raster<UInt8>, person: Raster<UInt8>

  init(width: Int = 320, height: Int = 180) {
    self.width = width
    self.height = height
    room = Raster(width: width, height: height) { UInt8(20 + Self.texture($0, $1, seed: 1) / 2) }
    person = Raster(width: Self.extent, height: Self.extent) {
      UInt8(120 + Self.texture($0, $1, seed: 7) / 2)
    }
  }

  /// Whether a sample shows the person with the upper left corner `corner`.
  func isPerson(_ x: Int, _ y: Int, at corner: (x: Int, y: Int)) -> Bool {
    (0..<Self.extent).contains(x - corner.x) && (0..<Self.extent).contains(y - corner.y)
  }

  /// Returns the picture, with errors up to `noise` per sample that depend on `seed`.
  func picture(at corner: (x: Int, y: Int), noise: Int = 0, seed: UInt64 = 0) -> Raster<UInt8> {
    let picture = Raster<UInt8>(width: width, height: height, filledWith: 0)
    unsafe picture.base.update(from: room.base, count: width * height)
    for y in 0..<Self.extent {
      unsafe (picture.row(corner.y + y) + corner.x).update(from: person.row(y), count: Self.extent)
    }
    guard noise > 0 else { return picture }
    var generator = SeededGenerator(seed: seed)
    // The length is a prime number, so the pattern differs in each row.
    let errors = (0..<4093).map { _ in Int.random(in: -noise...noise, using: &generator) }
    for i in 0..<width * height {
      unsafe picture.base[i] = UInt8(Int(picture.base[i]) + errors[i % errors.count])
    }
    return picture
  }

  /// Returns a value of 0 to 200.
  ///
  /// Details are some samples wide.
  static func texture(_ x: Int, _ y: Int, seed: UInt64) -> Int {
    let cell = 5
    func corner(_ column: Int, _ row: Int) -> Int {
      var generator = SeededGenerator(
        seed: seed &* 1_000_003 &+ UInt64(bitPattern: Int64(column &* 8191 &+ row)))
      return Int(generator.next() % 201)
    }
    let (column, row) = (
      (x - (x % cell + cell) % cell) / cell, (y - (y % cell + cell) % cell) / cell
    )
    let (along, down) = (x - column * cell, y - row * cell)
    let top = corner(column, row) * (cell - along) + corner(column + 1, row) * along
    let bottom = corner(column, row + 1) * (cell - along) + corner(column + 1, row + 1) * along
    return (top * (cell - down) + bottom * down) / (cell * cell)
  }
}
