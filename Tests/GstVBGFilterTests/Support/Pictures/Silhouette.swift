import TestSupport

/// The silhouette of the sample person.
///
/// It is stored as a picture: white is the person, black is the room. Grey is the helmet in her
/// arms. Networks may assign it to her or to the furniture, so it is ignored. Robust Video Matting
/// computed the outline at the picture's full size, while the element uses a much smaller one. The
/// name tag was filled and the helmet marked by hand.
struct Silhouette {
  enum Part {
    case person
    case room
    case either
  }

  let width: Int
  let height: Int
  private let parts: [Part]

  /// Reads the parts from a picture's luma in full range.
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

  /// Makes a silhouette of the pixels with an alpha of at least 0.5.
  init(_ matte: Alpha) {
    (width, height) = (matte.width, matte.height)
    parts = matte.values.map { $0 >= 0.5 ? .person : .room }
  }

  /// The part that contains a pixel.
  subscript(x: Int, y: Int) -> Part { parts[y * width + x] }

  /// Returns the intersection over union with the pixels of a matte that are at least 0.5.
  func overlap(with matte: Alpha) -> Double {
    var (both, any) = (0, 0)
    for (part, alpha) in zip(parts, matte.values) where part != .either {
      if part == .person && alpha >= 0.5 { both += 1 }
      if part == .person || alpha >= 0.5 { any += 1 }
    }
    return Double(both) / Double(max(any, 1))
  }

  /// Returns the box around the person: first column, first row, last column and last row.
  ///
  /// The outermost columns and rows must contain a fiftieth of person, so that specks do not move
  /// them. Pixels that are `either` in the other silhouette are ignored.
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

  /// Returns the mean difference of two mattes outside the ambiguous pixels.
  func change(from one: Alpha, to other: Alpha) -> Double {
    var (sum, count) = (0.0, 0)
    for index in parts.indices where parts[index] != .either {
      sum += abs(one.values[index] - other.values[index])
      count += 1
    }
    return sum / Double(max(count, 1))
  }

  /// Returns the mean of a matte over the pixels of one part, at least `distance` from all others.
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

  /// Whether the corners and side centres of a square around the pixel are in the same part.
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

/// A matte as `effect=matte` shows it, from 0 for the room to 1 for the person.
struct Alpha {
  let width: Int
  let height: Int
  let values: [Double]

  /// Reads the luma of a picture and clamps it between black and white.
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

  /// The mean of the matte.
  var coverage: Double { values.reduce(0, +) / Double(values.count) }
}
