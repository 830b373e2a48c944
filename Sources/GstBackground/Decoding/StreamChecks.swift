import CGStreamer
import InputFiles
import Synchronization
import Threads

/// The facts that the callbacks of a private pipeline need, and the first error that they find.
///
/// GStreamer calls them on its own threads. Thread-safe.
@safe final class StreamChecks: Sendable {
  /// The location as the user wrote it, for errors.
  let location: String
  /// The inspection of a local file, or nil for another stream.
  let inspection: PictureInspection?
  /// The bus of the pipeline, which this object owns.
  ///
  /// GStreamer's buses are thread-safe.
  nonisolated(unsafe) let bus: UnsafeMutablePointer<GstBus>
  private let byteCount = Atomic(0)
  private let found = Monitor<BackgroundError?>(nil)

  init(_ location: String, _ inspection: PictureInspection?) {
    self.location = location
    self.inspection = inspection
    unsafe bus = gst_bus_new()
  }

  deinit { unsafe gst_object_unref(bus) }

  var error: BackgroundError? { found.current }

  /// Records an error, unless there is an earlier one, and wakes the thread that waits on the bus.
  func refuse(_ error: BackgroundError) {
    let isFirst = found.withLock { found in
      if found != nil { return false }
      found = error
      return true
    }
    guard isFirst else { return }
    unsafe gst_bus_post(bus, gst_message_new_application(nil, gst_structure_new_empty("refused")))
  }

  /// Adds `bytes` to those that were read for the next picture, and returns whether they are few
  /// enough.
  ///
  /// Parsers and decoders buffer a picture until its end. A server that sends an endless picture
  /// would fill the memory.
  func add(_ bytes: Int) -> Bool {
    let limit = inspection == nil ? 1 << 27 : RegularFile.limit
    let count = byteCount.wrappingAdd(bytes, ordering: .relaxed).newValue
    if count <= limit { return true }
    refuse(
      BackgroundError(
        .tooLarge, location,
        "has no complete picture in its first \(limit / 1_000_000) MB; use a smaller file"
          + (inspection == nil ? ", or download it and use a local file" : "")))
    return false
  }

  /// Resets the count of bytes after a complete picture.
  func recordPicture() { byteCount.store(0, ordering: .relaxed) }

  /// Returns the object that a callback received as its user data.
  ///
  /// Safety: `data` must be nil or a pointer to a `StreamChecks` that is alive during the call.
  @unsafe static func object(of data: gpointer?) -> StreamChecks? {
    unsafe data.map { unsafe Unmanaged<StreamChecks>.fromOpaque($0).takeUnretainedValue() }
  }
}
