import PixelTypes
import TestSupport

/// A picture of any format.
///
/// Each plane has its own memory.
///
/// The memory ends with the last row. Between the rows are marked bytes.
final class FuzzPicture {
  let planes: PicturePlanes
  private let memory: [ExactMemory<UInt8>]

  private static let mark: UInt8 = 0xA5

  /// Makes a picture with samples and row padding from the input.
  init(_ pixelFormat: PixelFormat, _ format: FrameFormat, _ input: inout FuzzInput) {
    let padding = input.integer(in: 0...9)
    var memory: [ExactMemory<UInt8>] = []
    let planes = PicturePlanes(format: pixelFormat) { number in
      let size = pixelFormat.planeSize(number, width: format.width, height: format.height)
      let stride = size.width + padding
      let count = (size.height - 1) * stride + size.width
      var samples = input.fill(count)
      for index in samples.indices where index % stride >= size.width { samples[index] = Self.mark }
      let plane = ExactMemory(samples)
      memory.append(plane)
      return unsafe Plane(base: plane.base, width: size.width, height: size.height, stride: stride)
    }
    guard let planes else { preconditionFailure("a plane is missing") }
    self.planes = planes
    self.memory = memory
  }

  /// The picture as a frame, if it is NV12.
  var frame: Frame { Frame(luma: planes[0], chroma: planes[1]) }

  /// The bytes of each plane, including those between the rows.
  var bytes: [[UInt8]] { memory.map(\.samples) }

  /// Whether all pixels are equal.
  var isUniform: Bool {
    (0..<planes.format.planeCount).allSatisfy { number in
      let plane = planes[number]
      let period = samplePeriod(ofPlane: number)
      return (0..<plane.height).allSatisfy { y in
        (0..<plane.width).allSatisfy { x in
          unsafe plane.row(y)[x] == plane.base[x % period]
        }
      }
    }
  }

  /// The distance in bytes from one pixel of a plane, or pair of samples, to the next.
  private func samplePeriod(ofPlane number: Int) -> Int {
    let isShared = planes.format.sharesChroma && planes.format.isChroma(plane: number)
    return planes.format.planeSize(number, width: 2, height: 2).width / (isShared ? 1 : 2)
  }

  /// Throws when a byte between the rows was written.
  func checkBorders() throws(Finding) {
    for (number, bytes) in bytes.enumerated() {
      let plane = planes[number]
      for (index, byte) in bytes.enumerated() where index % plane.stride >= plane.width {
        try expect(byte == Self.mark, "a byte between the rows was written: \(index)")
      }
    }
  }
}

extension FrameFormat {
  /// Makes a format of a supported, usually small, size with any colorimetry and orientation.
  init(_ input: inout FuzzInput) {
    let colorimetry = Colorimetry(
      matrix: input.choice([.bt601, .bt709, .bt2020]), range: input.choice([.limited, .full]))
    let (width, height) =
      switch input.integer(in: 0...15) {
      case 0: (input.integer(in: 16...8192), input.integer(in: 16...17))
      case 1: (input.integer(in: 16...17), input.integer(in: 16...8192))
      case 2...5: (input.integer(in: 16...200), input.integer(in: 16...200))
      default: (input.integer(in: 16...48), input.integer(in: 16...48))
      }
    self.init(width: width, height: height, colorimetry: colorimetry)
    // Derived from the size and not from another byte, so that stored inputs keep their meaning.
    if let turned = ImageOrientation(exifValue: 1 + (width + height / 2) % 8) {
      orientation = turned
    }
  }
}

extension PixelRegion {
  /// Makes a region of a frame, of at least one pixel.
  init(_ input: inout FuzzInput, within format: FrameFormat) {
    let x = input.integer(in: 0...format.width - 1)
    let y = input.integer(in: 0...format.height - 1)
    self.init(
      x: x, y: y, width: input.integer(in: 1...format.width - x),
      height: input.integer(in: 1...format.height - y))
  }
}
