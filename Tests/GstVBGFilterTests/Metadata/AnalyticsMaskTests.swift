import CGStreamer
import CTestSupport
import CVBGFilter
import TestSupport
import Testing

@testable import GstVBGFilter

/// Segmentation masks from GStreamer's analytics elements, since 1.26.
///
/// The masks are built with GStreamer's own header, so these tests also prove that the plugin's
/// declarations match it.
@Suite(
  .enabled(
    if: vbg_analytics_is_available() != 0 && mask_is_available() != 0,
    "GStreamer has no such masks, or its header is missing"))
struct AnalyticsMaskTests {
  /// A mask from an element upstream.
  struct Upstream {
    var width = 64
    var height = 36
    var format = GST_VIDEO_FORMAT_GRAY8
    /// The values of the room, the person and a cup, with their class names.
    var regions: [(guint, String)] = [(0, "background"), (12, "person"), (7, "cup")]
    var hasClasses = true
    var place: MaskPlace?
    /// The stride that the GstVideoMeta specifies.
    var stride: Int?
    var offset = 0

    /// The value of a sample.
    ///
    /// The person is in the middle half of the picture.
    var value: @Sendable (Int, Int, Int) -> UInt8 = { x, _, width in
      x >= width / 4 && x < width - width / 4 ? 12 : x < 4 ? 7 : 0
    }

    func attach(to buffer: UnsafeMutablePointer<GstBuffer>, _ stream: StreamFormat) throws {
      let mask = unsafe try #require(gst_buffer_new_allocate(nil, gsize(width * height), nil))
      defer { unsafe GStreamer.unrefMini(mask) }
      let bytes = (0..<width * height).map { value($0 % width, $0 / width, width) }
      unsafe gst_buffer_fill(mask, 0, bytes, gsize(bytes.count))
      var offsets: [gsize] = [gsize(offset), 0, 0, 0]
      var strides = [gint(stride ?? width), 0, 0, 0]
      unsafe gst_buffer_add_video_meta_full(
        mask, GST_VIDEO_FRAME_FLAG_NONE, format, guint(width), guint(height), 1, &offsets,
        &strides)
      let names = unsafe regions.map { unsafe g_intern_string($0.1) }
      let list = unsafe zip(regions, names).map { unsafe MaskRegion(value: $0.0, name: $1) }
      let frame = stream.frameFormat
      let place =
        place
        ?? MaskPlace(x: 0, y: 0, width: guint(frame.width), height: guint(frame.height))
      try #require(
        unsafe mask_attach(buffer, mask, list, guint(list.count), place, hasClasses ? 1 : 0) != 0)
    }
  }

  private func filter(_ properties: [String: String] = [:]) throws -> TestFilter {
    try TestFilter(["effect": "color", "background-color": "\(Room.gray)"].with(properties))
  }

  /// Pushes a picture of the room with a mask and returns the output.
  private func process(_ filter: TestFilter, _ upstream: Upstream?) throws -> TestPicture {
    let buffer = unsafe filter.makeBuffer()
    if let upstream { unsafe try upstream.attach(to: buffer, filter.stream) }
    return unsafe try filter.process(buffer)
  }

  @Test func theMatteIsAttachedAsAMaskOfThePerson() throws {
    let filter = try filter(["attach-matte": "true"])
    let buffer = unsafe try filter.output(of: filter.makeBuffer())
    defer { unsafe GStreamer.unrefMini(buffer) }
    let matte = unsafe try #require(try AttachedMatte(of: buffer))
    var (value, place) = (guint(0), MaskPlace())
    let mask = unsafe try #require(mask_find(buffer, "person", &value, &place))
    defer { unsafe GStreamer.unrefMini(mask) }
    #expect((place.x, place.y, place.width, place.height) == (0, 0, 320, 180))
    #expect(value == 1)
    let meta = unsafe try #require(gst_buffer_get_video_meta(mask))
    #expect(unsafe (meta.pointee.width, meta.pointee.height) == (160, 90))
    var map = unsafe GstMapInfo()
    try #require(unsafe gst_buffer_map(mask, &map, GST_MAP_READ) != 0)
    defer { unsafe gst_buffer_unmap(mask, &map) }
    let samples = unsafe Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
    #expect(samples == matte.samples.map { $0 >= 128 ? 1 : 0 })
  }

  @Test(arguments: [("dog", "dog"), ("dog,person", "foreground")])
  func theMaskIsLabelledByTheSubjects(_ subjects: String, _ name: String) throws {
    let filter = try filter(["attach-matte": "true", "subjects": subjects])
    filter.models.change("good") { $0.classes = ["dog", "person"] }
    let buffer = unsafe try filter.output(of: filter.makeBuffer())
    defer { unsafe GStreamer.unrefMini(buffer) }
    var (value, place) = (guint(0), MaskPlace())
    let mask = unsafe try #require(mask_find(buffer, name, &value, &place))
    unsafe GStreamer.unrefMini(mask)
    #expect(value == 1)
  }

  @Test func framesWithoutAMatteHaveNoMask() throws {
    let filter = try filter(["attach-matte": "true"])
    func hasMask() throws -> Bool {
      let buffer = unsafe try filter.output(of: filter.makeBuffer())
      defer { unsafe GStreamer.unrefMini(buffer) }
      var (value, place) = (guint(0), MaskPlace())
      guard let mask = unsafe mask_find(buffer, "person", &value, &place) else { return false }
      unsafe GStreamer.unrefMini(mask)
      return true
    }
    #expect(try hasMask())
    filter.set("attach-matte", "false")
    #expect(try !hasMask())
    filter.set("attach-matte", "true")
    filter.models.change("good") { $0.inferenceFailure = .init(.inferenceFailed, "out of order") }
    #expect(try !hasMask())
    filter.set("active", "false")
    #expect(try !hasMask())
  }

  /// An element uses the mask of another vbgfilter upstream instead of its own inference.
  @Test func theNextElementUsesTheMaskOfTheFirst() throws {
    let first = try filter(["attach-matte": "true", "effect": "blur", "blur-radius": "0"])
    let second = try filter()
    let output = unsafe try second.process(first.output(of: first.makeBuffer()))
    #expect(second.models.inferences == 0)
    #expect(Room.visiblePart(of: output) < 0.01)
    #expect(Room.showsPerson(output))
  }

  @Test func theMaskOfAnotherElementReplacesAnInference() throws {
    let filter = try filter()
    for _ in 0..<3 {
      let output = try process(filter, Upstream())
      #expect(Room.visiblePart(of: output) < 0.03)
      #expect(Room.showsPerson(output))
    }
    #expect(filter.models.inferences == 0)
    #expect(filter.models.compiled.isEmpty)
    // The next frame has no mask and needs an inference.
    #expect(Room.visiblePart(of: try process(filter, nil)) == 0)
    #expect(filter.models.inferences == 1)
    #expect(Room.visiblePart(of: try process(filter, Upstream())) < 0.03)
    #expect(filter.models.inferences == 1)
  }

  /// The buffer has a second owner, as behind a tee.
  @Test func theMaskOfASharedBufferIsFound() throws {
    let filter = try filter()
    let buffer = unsafe filter.makeBuffer()
    unsafe try Upstream().attach(to: buffer, filter.stream)
    unsafe GStreamer.refMini(buffer)
    defer { unsafe GStreamer.unrefMini(buffer) }
    #expect(try unsafe Room.showsPerson(filter.process(buffer)))
    #expect(filter.models.inferences == 0)
  }

  /// A network that fails to load has no effect until a frame without a mask arrives.
  @Test func aFrameWithoutAMaskNeedsANetwork() throws {
    let filter = try filter()
    filter.models.change("good") { $0.compileFailure = .init(.deviceRefused, "out of order") }
    #expect(Room.showsPerson(try process(filter, Upstream())))
    #expect(filter.messages().isEmpty)
    #expect(filter.pushRoom() == GST_FLOW_ERROR)
    #expect(try filter.pull() == nil)
  }

  @Test func subjectsSelectTheRegionsOfTheMask() throws {
    let filter = try filter(["subjects": "cup"])
    filter.models.change("good") { $0.classes = ["cup", "dog"] }
    let cup = try process(filter, Upstream(regions: [(0, "background"), (12, "cup")]))
    #expect(Room.showsPerson(cup))
    let nobody = try process(filter, Upstream(regions: [(7, "cup"), (12, "person")]))
    #expect(!Room.showsPerson(nobody))
    #expect(filter.models.inferences == 0)
    filter.set("subjects", "dog,person")
    #expect(Room.showsPerson(try process(filter, Upstream())))
    #expect(filter.models.inferences == 0)
  }

  static let useless: [(String, Upstream)] = [
    ("no person", Upstream(regions: [(0, "background"), (12, "cup")])),
    ("no classes", Upstream(hasClasses: false)),
    ("a value that no byte has", Upstream(regions: [(300, "person")])),
    ("16 bits", Upstream(width: 32, format: GST_VIDEO_FORMAT_GRAY16_LE, stride: 64)),
    ("beyond the memory", Upstream(stride: 65)),
    ("rows that overlap", Upstream(stride: 10)),
    ("an offset beyond the memory", Upstream(offset: 10_000)),
    ("beside the frame", Upstream(place: MaskPlace(x: 400, y: 0, width: 10, height: 10))),
    ("beyond the frame", Upstream(place: MaskPlace(x: 0, y: 0, width: 321, height: 180))),
    ("before the frame", Upstream(place: MaskPlace(x: -1, y: 0, width: 320, height: 180))),
    ("no place", Upstream(place: MaskPlace(x: 0, y: 0, width: 0, height: 0))),
    ("far too large", Upstream(place: MaskPlace(x: .max, y: .min, width: .max, height: .max))),
  ]

  @Test(arguments: useless)
  func anUnusableMaskIsIgnored(_ name: String, _ upstream: Upstream) throws {
    let filter = try filter()
    let output = try process(filter, upstream)
    #expect(filter.models.inferences == 1, "\(name)")
    #expect(Room.showsOnlyPerson(output))
  }

  @Test func theFirstUsableMaskIsUsed() throws {
    let filter = try filter()
    let buffer = unsafe filter.makeBuffer()
    for upstream in Self.useless.map(\.1) + [Upstream()] {
      unsafe try upstream.attach(to: buffer, filter.stream)
    }
    #expect(try unsafe Room.showsPerson(filter.process(buffer)))
    #expect(filter.models.inferences == 0)
  }
}
