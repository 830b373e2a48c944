import PixelTypes
import Testing

@testable import PersonSelection

struct FaceViewsTests {
  static let sizes = [
    (16, 16), (17, 16), (16, 8192), (640, 480), (481, 641), (1920, 1080), (1080, 1920),
    (3840, 1080),
    (8192, 8192),
  ]

  private func format(_ width: Int, _ height: Int) -> FrameFormat {
    FrameFormat(
      width: width, height: height, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
  }

  @Test(arguments: sizes) func squaresAreWithinTheFrame(width: Int, height: Int) {
    let views = FaceViews(format: format(width, height))
    for view in views.squares {
      #expect(view.width == view.height && view.width > 0)
      #expect(view.x >= 0 && view.y >= 0 && view.endX <= width && view.endY <= height)
    }
    #expect(views.squares.count <= 64)
  }

  @Test(
    "covers every face with a search square",
    arguments: [(640, 480), (481, 641), (1920, 1080), (1080, 1920), (3840, 1080)])
  func coversEveryFace(width: Int, height: Int) {
    let views = FaceViews(format: format(width, height))
    let side = min(width, height)
    for (squares, size) in [
      (views.squares[..<views.largestSquares], side / 5),
      (views.squares[views.largestSquares...], side / 10),
    ] {
      for y in stride(from: 0, through: height - size, by: 7) {
        for x in stride(from: 0, through: width - size, by: 7) {
          let isSeen = squares.contains {
            $0.x <= x && $0.y <= y && x + size <= $0.endX && y + size <= $0.endY
          }
          if !isSeen { Issue.record("a face at \(x), \(y) is in no square") }
        }
      }
    }
  }

  @Test("keeps the square around a face partly inside the frame", arguments: sizes)
  func squareAroundFace(width: Int, height: Int) {
    let views = FaceViews(format: format(width, height))
    let extents: [Float] = [-1e30, -50, 0, 1, Float(width), 1e30]
    for x in extents {
      for y in extents {
        for size: Float in [0, 0.5, 30, 9000, 1e30] {
          let view = views.square(
            around: FaceBox(center: FacePoint(x: x, y: y), width: size, height: size))
          #expect(1...min(width, height) ~= view.width && view.width == view.height)
          // At most half of the square is outside in each direction.
          #expect(2 * view.x >= -view.width && 2 * view.y >= -view.width)
          #expect(2 * view.endX <= 2 * width + view.width + 1)
          #expect(2 * view.endY <= 2 * height + view.width + 1)
          #expect(view.x < width && view.y < height && view.endX > 0 && view.endY > 0)
        }
      }
    }
  }
}
