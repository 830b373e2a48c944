import PixelTypes
import TestSupport

/// Where the sample person stands.
///
/// Stored as a picture: white is the person, black the room. Grey is the helmet in her arms, which
/// networks may take for a part of her or for furniture; it counts for neither. Robust Video Matting
/// drew the outline at the picture's full size, far finer than the element runs it, with the name
/// tag filled and the helmet marked by hand.
struct Silhouette {
  enum Part {
    case person
    case room
    case either
  }

  let width: Int
  let height: Int
  private let parts: [Part]

  /// Takes the parts from a picture's luma of full range.
  init(_ picture: TestPicture) {
    let (width, height) = (picture.format.width, picture.format.height)
    (self.width, self.height) = (width, height)
    parts = (0..<width * height).map { index in
      switch picture.luma(index % width, index / width) {
      case ..<64: .room
      case 192...: .person
      default: .either
      }
    }
  }

  /// Takes for the person whatever a matte gives at least half.
  init(_ matte: Alpha) {
    (width, height) = (matte.width, matte.height)
    parts = matte.values.map { $0 >= 0.5 ? .person : .room }
  }

  /// What a pixel is.
  subscript(x: Int, y: Int) -> Part { parts[y * width + x] }

  /// Intersection over union with what a matte gives at least half.
  func overlap(with matte: Alpha) -> Double {
    var (both, any) = (0, 0)
    for (part, alpha) in zip(parts, matte.values) where part != .either {
      if part == .person && alpha >= 0.5 { both += 1 }
      if part == .person || alpha >= 0.5 { any += 1 }
    }
    return Double(both) / Double(max(any, 1))
  }

  /// The box around the person, as first column, first row, last column and last row.
  ///
  /// Its outermost columns and rows belong to the person by a fiftieth, so that crumbs do not move
  /// them. What is `either` in the other silhouette does not count.
  func box(without other: Silhouette) -> [Int] {
    var columns = [Int](repeating: 0, count: width)
    var rows = [Int](repeating: 0, count: height)
    for y in 0..<height {
      for x in 0..<width where self[x, y] == .person && other[x, y] != .either {
        columns[x] += 1
        rows[y] += 1
      }
    }
    func isCrossed(_ count: Int, by length: Int) -> Bool { count * 50 >= length }
    return [
      columns.firstIndex { isCrossed($0, by: height) } ?? width,
      rows.firstIndex { isCrossed($0, by: width) } ?? height,
      columns.lastIndex { isCrossed($0, by: height) } ?? -1,
      rows.lastIndex { isCrossed($0, by: width) } ?? -1,
    ]
  }

  /// The mean difference of two mattes where it is clear what is right.
  func change(from one: Alpha, to other: Alpha) -> Double {
    var (sum, count) = (0.0, 0)
    for index in parts.indices where parts[index] != .either {
      sum += abs(one.values[index] - other.values[index])
      count += 1
    }
    return sum / Double(max(count, 1))
  }

  /// The mean of a matte over the pixels of one part, at least `distance` from all others.
  func mean(of matte: Alpha, in part: Part, distance: Int) -> Double {
    var (sum, count) = (0.0, 0)
    for y in 0..<height {
      for x in 0..<width where isInside(x, y, part, distance) {
        sum += matte.values[y * width + x]
        count += 1
      }
    }
    return sum / Double(max(count, 1))
  }

  /// Whether the corners and the middles of a square's sides lie in the part too.
  private func isInside(_ x: Int, _ y: Int, _ part: Part, _ distance: Int) -> Bool {
    for row in [y - distance, y, y + distance] {
      for column in [x - distance, x, x + distance] {
        let (row, column) = (min(max(row, 0), height - 1), min(max(column, 0), width - 1))
        if self[column, row] != part { return false }
      }
    }
    return true
  }
}

/// A matte as `effect=matte` shows it: 0 for the room to 1 for the person.
struct Alpha {
  let width: Int
  let height: Int
  let values: [Double]

  /// Reads the luma of a picture, which black and white bound.
  init(_ picture: TestPicture) {
    let (width, height) = (picture.format.width, picture.format.height)
    let colors = picture.format.colorimetry
    let black = Double(colors.codeValues(red: 0, green: 0, blue: 0).luma)
    let white = Double(colors.codeValues(red: 255, green: 255, blue: 255).luma)
    (self.width, self.height) = (width, height)
    values = (0..<width * height).map {
      (Double(picture.luma($0 % width, $0 / width)) - black) / (white - black)
    }
  }

  /// The part of the picture that the matte gives to the person.
  var coverage: Double { values.reduce(0, +) / Double(values.count) }
}
