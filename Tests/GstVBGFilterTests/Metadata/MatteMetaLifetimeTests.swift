import CGStreamer
import CTestSupport
import CVBGFilter
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// The lifetime of the memory of attached mattes.
@Suite struct MatteMetaLifetimeTests {
  /// A consumer's reference to the matte of a buffer, with its first contents.
  @safe private final class Kept {
    let alpha: UnsafeMutablePointer<GstBuffer>
    let first: [UInt8]

    init(_ alpha: UnsafeMutablePointer<GstBuffer>) throws {
      unsafe self.alpha = alpha
      unsafe GStreamer.refMini(alpha)
      unsafe first = try Self.bytes(of: alpha)
    }

    deinit {
      unsafe GStreamer.unrefMini(alpha)
    }

    var isAsItWas: Bool {
      get throws { unsafe try Self.bytes(of: alpha) == first }
    }

    private static func bytes(of buffer: UnsafeMutablePointer<GstBuffer>) throws -> [UInt8] {
      var map = unsafe GstMapInfo()
      try #require(unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0)
      defer { unsafe gst_buffer_unmap(buffer, &map) }
      return unsafe Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
    }
  }

  /// Returns a picture of a person, 60 pixels wide, at a position that depends on `index`.
  private func picture(_ index: Int, _ filter: TestFilter) -> TestPicture {
    let picture = TestPicture(format: filter.stream.frameFormat, (20, 60, 90))
    let first = index * 7 % (picture.format.width - 60)
    picture.paint((210, 20, 30)) { x, _ in x >= first && x < first + 60 }
    return picture
  }

  /// Pushes a picture and passes the output to a consumer.
  private func process<Result>(
    _ index: Int, _ filter: TestFilter, consume: (UnsafeMutablePointer<GstBuffer>) throws -> Result
  ) throws -> Result {
    let output = unsafe try filter.output(of: filter.makeBuffer(picture(index, filter)))
    defer { unsafe GStreamer.unrefMini(output) }
    return unsafe try consume(output)
  }

  private func keepMatte(of buffer: UnsafeMutablePointer<GstBuffer>) throws -> Kept {
    unsafe try Kept(try #require(gst_buffer_get_vbg_matte_meta(buffer)?.pointee.alpha))
  }

  @Test("does not overwrite a matte that a consumer still holds")
  func keepsHeldMattes() throws {
    let filter = try TestFilter(["attach-matte": "true", "keep": "everyone"])
    var kept: [Kept] = []
    for index in 0..<40 { kept.append(try unsafe process(index, filter, consume: keepMatte)) }
    #expect(Set(kept.map(\.first)).count > 20)
    for index in 0..<20 { _ = try unsafe process(index, filter, consume: keepMatte) }
    for each in kept { #expect(try each.isAsItWas) }
    #expect(try #require(filter.matteBuffers) >= 40)
    // After the consumer releases the mattes, the surplus is freed and the rest is reused.
    kept = []
    for index in 0..<60 { try unsafe process(index, filter) { _ in } }
    #expect(try #require(filter.matteBuffers) <= PlanePool.spare)
  }

  @Test func aMatteOutlivesTheElement() throws {
    let kept = try unsafe process(3, try TestFilter(["attach-matte": "true"]), consume: keepMatte)
    #expect(kept.first.max() == 255)
    #expect(try kept.isAsItWas)
    #expect(unsafe vbg_buffer_is_unshared(kept.alpha) != 0)
  }

  @Test func allMatteBuffersAreFreed() throws {
    let counter = BufferCounter()
    do {
      let filter = try TestFilter(["attach-matte": "true"])
      for index in 0..<30 {
        if index == 10 { try filter.renegotiate(width: 480, height: 270) }
        if index == 15 || index == 20 { filter.set("attach-matte", "\(index == 20)") }
        try unsafe process(index, filter) { buffer in
          guard let meta = unsafe gst_buffer_get_vbg_matte_meta(buffer) else { return }
          unsafe counter.count(meta.pointee.alpha)
          let copy = unsafe try #require(gst_buffer_copy_deep(buffer))
          unsafe GStreamer.unrefMini(copy)
        }
        if index == 17 { #expect(filter.matteBuffers == nil) }
      }
      // There is one buffer per change, because the consumer returns each at once.
      #expect(counter.made == 3)
      #expect(counter.freed == 2)
    }
    #expect(counter.freed == 3)
  }
}

extension TestFilter {
  /// The number of buffers for mattes.
  ///
  /// It is nil if the element attaches no mattes.
  fileprivate var matteBuffers: Int? { object.state?.matteAttachment.buffers }
}

/// Counts distinct buffers and those freed on any thread.
private final class BufferCounter {
  private let freedBuffers = Monitor(0)
  private(set) var made = 0

  var freed: Int { freedBuffers.current }

  /// Counts a buffer once, and again when it is freed.
  ///
  /// This object must outlive the buffer.
  func count(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    let object = unsafe UnsafeMutablePointer<GstMiniObject>(OpaquePointer(buffer))
    let mark = unsafe g_quark_from_string("vbgfilter-test-counted")
    if unsafe gst_mini_object_get_qdata(object, mark) != nil { return }
    made += 1
    unsafe gst_mini_object_set_qdata(
      object, mark, Unmanaged.passUnretained(self).toOpaque(),
      { counter in
        guard let counter = unsafe counter else { return }
        unsafe Unmanaged<BufferCounter>.fromOpaque(counter).takeUnretainedValue().freedBuffers
          .change { $0 += 1 }
      })
  }
}
