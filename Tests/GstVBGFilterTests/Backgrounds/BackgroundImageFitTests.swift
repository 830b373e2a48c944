import PixelTypes
import TestSupport
import Testing

@testable import Compositing
@testable import GstBackground
@testable import GstVBGFilter

/// The position and the crop of the picture for each `fit`.
@Suite struct BackgroundImageFitTests {
  private let folder = TemporaryFolder()
  let colorimetry = Colorimetry(matrix: .bt601, range: .full)

  /// Whether a pixel has a colour, in luma and in the chroma of its block.
  func matches(_ plate: Plate, _ x: Int, _ y: Int, _ color: StoredColor) -> Bool {
    let (luma, cb, cr) = colorimetry.codeValues(
      red: color.red, green: color.green, blue: color.blue)
    return abs(plate.luma(x, y) - Int(luma)) <= 1 && abs(plate.cb(x, y) - Int(cb)) <= 1
      && abs(plate.cr(x, y) - Int(cr)) <= 1
  }

  @Test("cuts off both sides equally with cover")
  func cover() throws {
    let format = FrameFormat(width: 64, height: 64, colorimetry: colorimetry)
    // The picture is twice as wide as high, so a quarter on either side is cut off.
    let wide = StoredPicture(width: 200, height: 100) { x, _ in
      x < 50 ? .red : x < 150 ? .green : .blue
    }
    let tall = StoredPicture(width: 100, height: 200) { _, y in
      y < 50 ? .red : y < 150 ? .green : .blue
    }
    for picture in [wide, tall] {
      let plate = try folder.load(picture).makePlate(
        for: format, fit: .cover, backgroundColor: 0xFFFF_FFFF)
      for y in 0..<64 {
        for x in 0..<64 { #expect(matches(plate, x, y, .green), "\(x) \(y)") }
      }
    }
  }

  @Test("shows the whole picture in the middle of the background colour with contain")
  func contain() throws {
    let format = FrameFormat(width: 64, height: 64, colorimetry: colorimetry)
    // Thick marks at the four edges.
    func mark(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> StoredColor {
      x < 20
        ? .red : x >= width - 20 ? .blue : y < 20 ? .yellow : y >= height - 20 ? .white : .green
    }
    for (width, height) in [(200, 100), (100, 200)] {
      let picture = StoredPicture(width: width, height: height) { mark($0, $1, width, height) }
      let plate = try folder.load(picture).makePlate(
        for: format, fit: .contain, backgroundColor: 0x0000_0000)
      let (left, top) = width > height ? (0, 16) : (16, 0)
      let (right, bottom) = (63 - left, 63 - top)
      for position in 0..<64 {
        let borders =
          top > 0
          ? [(position, top - 1), (position, bottom + 1)]
          : [(left - 1, position), (right + 1, position)]
        for (x, y) in borders { #expect(matches(plate, x, y, .black)) }
      }
      #expect(matches(plate, left + 1, 32, .red) && matches(plate, right - 1, 32, .blue))
      #expect(matches(plate, 32, top + 1, .yellow) && matches(plate, 32, bottom - 1, .white))
      #expect(matches(plate, 32, 32, .green))
    }
  }

  @Test("fills the whole frame with the whole picture with stretch")
  func stretch() throws {
    let picture = StoredPicture(width: 90, height: 30) { x, y in
      x < 45 ? (y < 15 ? .red : .green) : (y < 15 ? .blue : .yellow)
    }
    let plate = try folder.load(picture).makePlate(
      for: FrameFormat(width: 33, height: 65, colorimetry: colorimetry), fit: .stretch,
      backgroundColor: 0)
    #expect(matches(plate, 0, 0, .red) && matches(plate, 32, 0, .blue))
    #expect(matches(plate, 0, 64, .green) && matches(plate, 32, 64, .yellow))
    #expect(matches(plate, 12, 22, .red) && matches(plate, 20, 42, .yellow))
  }

  @Test("respects non-square pixels of the frame and of the picture")
  func pixelAspect() throws {
    let picture = StoredPicture(width: 192, height: 108) { x, y in
      x < 96 ? (y < 54 ? .red : .green) : (y < 54 ? .blue : .yellow)
    }
    let image = try folder.load(picture)
    // The frame is displayed as 16:9, like the picture, so there are no bars and no crop.
    let hdv = FrameFormat(width: 144, height: 108, colorimetry: colorimetry, pixelAspect: 4.0 / 3)
    for fit in [BackgroundFit.cover, .contain, .stretch] {
      let plate = try image.makePlate(for: hdv, fit: fit, backgroundColor: 0)
      #expect(matches(plate, 0, 0, .red) && matches(plate, 68, 50, .red))
      #expect(matches(plate, 143, 0, .blue) && matches(plate, 75, 50, .blue))
      #expect(matches(plate, 0, 107, .green) && matches(plate, 143, 107, .yellow))
    }
    // The same frame is stored with a quarter turn, so its wide pixels become tall.
    var turned = hdv
    (turned.width, turned.height, turned.pixelAspect) = (108, 144, 3.0 / 4)
    turned.orientation = try #require(ImageOrientation(tag: "rotate-90"))
    let plate = try image.makePlate(for: turned, fit: .contain, backgroundColor: 0)
    // The upper left corner of the displayed picture is the lower left corner of the frame.
    #expect(matches(plate, 0, 143, .red) && matches(plate, 0, 0, .blue))
    #expect(matches(plate, 107, 143, .green) && matches(plate, 107, 0, .yellow))
    // Non-square pixels of the picture.
    let wide = BackgroundImage(image.pixels, pixelAspect: 2)
    let square = FrameFormat(width: 64, height: 36, colorimetry: colorimetry)
    let contained = try wide.makePlate(for: square, fit: .contain, backgroundColor: 0)
    #expect(matches(contained, 0, 4, .black) && matches(contained, 0, 18 - 4, .red))
    #expect(matches(contained, 63, 18 + 4, .yellow) && matches(contained, 63, 32, .black))
  }

  @Test("turns details finer than a pixel of the frame to gray at any reduction")
  func antialiasing() throws {
    for (side, period) in [(256, 4), (2048, 2), (2048, 100)] {
      let picture = StoredPicture(width: side, height: 32) { x, _ in
        x % period < period / 2 ? .white : .black
      }
      let plate = try folder.load(picture).makePlate(
        for: FrameFormat(width: 16, height: 32, colorimetry: colorimetry), fit: .stretch,
        backgroundColor: 0)
      // The outermost pixels include the edge of the picture.
      for x in 2..<14 {
        #expect(abs(plate.luma(x, 16) - 128) <= 16, "\(side) \(period) \(x)")
      }
    }
  }

  @Test(
    "fits any picture into any frame",
    arguments: [(1, 1), (2, 3), (16_384, 1), (1, 16_384), (17, 4000), (640, 480)])
  func sizes(_ size: (width: Int, height: Int)) throws {
    let image = try folder.load(StoredPicture(width: size.width, height: size.height, color: .red))
    #expect(image.width == size.width && image.height == size.height)
    for (width, height) in [(16, 16), (17, 17), (385, 289), (16, 2048), (2048, 16)] {
      let format = FrameFormat(width: width, height: height, colorimetry: colorimetry)
      for fit in [BackgroundFit.cover, .contain, .stretch] {
        let plate = try image.makePlate(for: format, fit: fit, backgroundColor: 0xE6140A)
        for (x, y) in [(0, 0), (width - 1, 0), (0, height - 1), (width / 2, height / 2)] {
          #expect(matches(plate, x, y, .red), "\(width)x\(height) \(fit) \(x) \(y)")
        }
        #expect(matches(plate, width - 1, height - 1, .red), "\(width)x\(height) \(fit)")
      }
    }
  }

  @Test("fills the largest frame with a picture of one pixel")
  func largest() throws {
    let image = try TemporaryFolder().load(StoredPicture(width: 1, height: 1, color: .blue))
    let format = FrameFormat(width: 8192, height: 8192, colorimetry: colorimetry)
    let plate = try image.makePlate(for: format, fit: .cover, backgroundColor: 0)
    #expect(matches(plate, 0, 0, .blue))
    #expect(matches(plate, 8191, 8191, .blue))
  }

  @Test("places pictures in the frame on whole chroma samples, and keeps their shape")
  func places() {
    let sides = [1, 2, 3, 16, 17, 100, 289, 385, 1080, 1920, 8192]
    for imageWidth in sides {
      for imageHeight in sides {
        for frameWidth in sides where frameWidth >= 16 {
          for frameHeight in sides where frameHeight >= 16 {
            for fit in [BackgroundFit.cover, .contain, .stretch] {
              let (source, target) = fit.regions(
                imageWidth: imageWidth, imageHeight: imageHeight, frameWidth: frameWidth,
                frameHeight: frameHeight)
              let isInside =
                source.x >= 0 && source.y >= 0 && source.width >= 1 && source.height >= 1
                && source.x + source.width <= imageWidth
                && source.y + source.height <= imageHeight
                && target.x >= 0 && target.y >= 0 && target.width >= 1 && target.height >= 1
                && target.x + target.width <= frameWidth
                && target.y + target.height <= frameHeight && target.x % 2 == 0
                && target.y % 2 == 0
                && (target.width % 2 == 0 || target.width == frameWidth)
                && (target.height % 2 == 0 || target.height == frameHeight)
              #expect(isInside, "\(fit) \(imageWidth)x\(imageHeight) \(frameWidth)x\(frameHeight)")
              if fit != .stretch, min(source.width, source.height) >= 100,
                min(target.width, target.height) >= 100
              {
                let ratio =
                  Double(source.width) * Double(target.height)
                  / (Double(source.height) * Double(target.width))
                #expect(abs(ratio - 1) < 0.02, "\(fit) \(source) \(target)")
              }
            }
          }
        }
      }
    }
  }
}
