import PixelTypes
import TestSupport
import Testing

@testable import Compositing
@testable import Matting
@testable import VirtualBackground

/// The colours of a picture with alpha, as shown by programs that ignore the alpha.
@Suite struct FaintAlphaTests {
  /// A room of bright and dark squares, as unlike as colours may be.
  private static let squares: (bright: RGB, dark: RGB) = ((240, 230, 60), (20, 30, 120))
  private static let person = Scene.person

  /// Code values by which a colour below half alpha may differ from the person's.
  private static let bound = 16

  /// Squares smaller and larger than a cell of the estimated colours, with narrow and wide edges.
  private static let rooms = [3, 16, 48].flatMap { square in [(square, 6.0), (square, 40.0)] }

  /// A person in front of the chequered room.
  ///
  /// If `isSoft`, the person's edge in the picture is as soft as the matte's edge. Then many pixels
  /// that are mostly person also contain the room. Otherwise the edge is sharp, where the matte's
  /// alpha is one half.
  private func picture(_ scene: SoftScene, square: Int, isSoft: Bool) -> TestPicture {
    let picture = TestPicture(format: scene.format, Self.squares.dark)
    picture.paint(Self.squares.bright) { x, y in
      (x / 2 * 2 / square + y / 2 * 2 / square) % 2 == 0
    }
    guard isSoft else {
      picture.paint(Self.person) { x, _ in scene.alpha(Double(x)) >= 0.5 }
      return picture
    }
    let code = scene.code(Self.person)
    func mix(_ own: Double, _ x: Int, _ old: UInt8) -> UInt8 {
      let share = scene.alpha(Double(x / 2 * 2) + 0.5)
      return UInt8((own * share + Double(old) * (1 - share)).rounded())
    }
    picture.frame.luma.change { x, _, old in mix(code.luma, x, old) }
    picture.frame.chroma.change { x, _, old in mix(x % 2 == 0 ? code.cb : code.cr, x, old) }
    return picture
  }

  private func isolated(
    _ scene: SoftScene, _ picture: TestPicture, _ format: PixelFormat, despill: Bool
  ) -> TestPlanes {
    let out = TestPlanes(format, format: scene.format, padding: 3)
    let edge = EdgeTreatment(format: scene.format, sourceShift: 1, matteGrid: scene.matte.grid)
    let reduced = ReducedFrame(format: scene.format, shift: 1, bands: .single)
    edge.prepare(
      reduced.reduce(picture.frame), matte: scene.matte, over: nil, despills: despill,
      lightAmount: 0, matchAmount: 0, at: 0)
    Compositor(format: scene.format, grid: scene.matte.grid, bands: .single)
      .draw(picture.frame, matte: scene.matte, over: nil, edge: edge, into: out.planes)
    withExtendedLifetime(picture) {}
    #expect(out.paddingIsIntact)
    return out
  }

  @Test(
    "uses colours of the person for pixels below half alpha",
    arguments: [PixelFormat.a420, .ayuv, .rgba], [true, false])
  func faintColors(_ format: PixelFormat, _ despill: Bool) {
    for (square, softness) in Self.rooms {
      for isSoft in [false, true] {
        check(format, despill, square: square, softness: softness, isSoft: isSoft)
      }
    }
  }

  private func check(
    _ format: PixelFormat, _ despill: Bool, square: Int, softness: Double, isSoft: Bool
  ) {
    let scene = SoftScene(softness: softness)
    // The network finds faint alpha far from the person: in one sample, and in an area.
    unsafe scene.matte.samples.row(31)[300] = 1
    for y in 100..<140 { for x in 280..<310 { unsafe scene.matte.samples.row(y)[x] = 80 } }
    let picture = picture(scene, square: square, isSoft: isSoft)
    let out = isolated(scene, picture, format, despill: despill)
    let person = Self.person
    let code = scene.format.colorimetry.codeValues(
      red: person.red, green: person.green, blue: person.blue)
    let (expected, black): ([UInt8], UInt8) =
      format == .rgba
      ? ([person.red, person.green, person.blue], 0)
      : ([code.luma, code.cb, code.cr], 16)
    var (worst, faint, visible) = (0, 0, 0)
    for y in 0..<scene.format.height {
      for x in 0..<scene.format.width {
        switch out.alpha(x, y) {
        case 0:
          visible += out.samples(x, y)[0] == black ? 0 : 1
        case 1..<128:
          faint += 1
          for (sample, own) in zip(out.samples(x, y), expected) {
            worst = max(worst, abs(Int(sample) - Int(own)))
          }
        default: break
        }
      }
    }
    #expect(visible == 0)
    #expect(faint > 5000)
    #expect(worst <= Self.bound, "squares of \(square), edge of \(softness), soft: \(isSoft)")
  }

  /// Compares the transparent person, blended over a colour, with the composed frame.
  @Test("blends over another background as accurately as the compositor", arguments: [true, false])
  func otherBackground(despill: Bool) {
    let scene = SoftScene()
    let behind: RGB = (20, 40, 230)
    let person = isolated(scene, scene.picture(), .ayuv, despill: despill)
    let composed = scene.composed(over: scene.background(behind)) { $0.despill = despill }
    let (own, other) = (scene.code(SoftScene.person), scene.code(behind))
    var (alone, together) = (0.0, 0.0)
    for x in 0..<scene.format.width {
      let share = scene.alpha(Double(x))
      let truth = own.luma * share + other.luma * (1 - share)
      let alpha = Double(person.alpha(x, 180)) / 255
      let blended = alpha * Double(person.pixel(x, 180)[1]) + (1 - alpha) * other.luma
      alone = max(alone, abs(blended - truth))
      together = max(together, abs(Double(composed.luma(x, 180)) - truth))
    }
    #expect(alone <= together + 1)
  }
}
