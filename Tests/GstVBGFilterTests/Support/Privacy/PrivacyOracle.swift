import CGStreamer
import CTestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// Looks for secrets in everything that leaves an element.
///
/// It examines frames with their metas, events in their order, the sticky events of the source pad,
/// and messages. Pads and buses call it on any thread, so its state is under a lock.
@safe final class PrivacyOracle: Sendable {
  /// A frame, an event or a message that left the element.
  struct Departure: Sendable {
    /// The type of the event, or `frame`, or `message`.
    let kind: String
    /// The places of secrets in it, and the errors of the search.
    let sightings: [String]
  }

  private let secrets: Monitor<Secrets>
  private let log = Monitor<[Departure]>([])

  /// Makes an oracle that looks for `secrets`.
  init(_ secrets: Secrets) {
    self.secrets = Monitor(secrets)
  }

  /// Replaces the secrets to look for.
  func replaceSecrets(by secrets: Secrets) {
    self.secrets.change { $0 = secrets }
  }

  /// Returns the departures since the last call.
  func takeDepartures() -> [Departure] {
    log.withLock { log in
      defer { log = [] }
      return log
    }
  }

  /// Returns the sightings since the last call.
  func takeSightings() -> [String] {
    takeDepartures().flatMap(\.sightings)
  }

  /// Watches a source pad and a bus, which retain this object until they are destroyed.
  func watch(_ pad: UnsafeMutablePointer<GstPad>, _ bus: UnsafeMutablePointer<GstBus>) {
    // The pad and the bus each release one reference.
    let release: GDestroyNotify = { data in
      if let data = unsafe data { unsafe Unmanaged<PrivacyOracle>.fromOpaque(data).release() }
    }
    unsafe gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_DATA_DOWNSTREAM,
      { _, info, data in
        guard let info = unsafe info, let data = unsafe data else { return GST_PAD_PROBE_OK }
        let oracle = unsafe Unmanaged<PrivacyOracle>.fromOpaque(data).takeUnretainedValue()
        if unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
          unsafe gst_pad_probe_info_get_buffer(info).map { unsafe oracle.look(at: $0) }
        } else {
          unsafe gst_pad_probe_info_get_event(info).map { unsafe oracle.look(at: $0) }
        }
        return GST_PAD_PROBE_OK
      }, Unmanaged.passRetained(self).toOpaque(), release)
    unsafe gst_bus_set_sync_handler(
      bus,
      { _, message, data in
        guard let message = unsafe message, let data = unsafe data else { return GST_BUS_PASS }
        unsafe Unmanaged<PrivacyOracle>.fromOpaque(data).takeUnretainedValue().look(at: message)
        return GST_BUS_PASS
      }, Unmanaged.passRetained(self).toOpaque(), release)
  }

  /// Looks for secrets in a frame.
  func look(at buffer: UnsafeMutablePointer<GstBuffer>) {
    unsafe look("frame") { unsafe reach_buffer(buffer, $0, $1) }
  }

  /// Looks for secrets in an event.
  func look(at event: UnsafeMutablePointer<GstEvent>) {
    let name = unsafe String(cString: gst_event_type_get_name(event.pointee.type))
    unsafe look(name) { unsafe reach_event(event, $0, $1) }
  }

  /// Looks for secrets in a message.
  func look(at message: UnsafeMutablePointer<GstMessage>) {
    unsafe look("message") { unsafe reach_message(message, $0, $1) }
  }

  /// Looks for secrets in the sticky events of a pad.
  func look(atKeptBy pad: UnsafeMutablePointer<GstPad>) {
    unsafe look("kept events") { unsafe reach_pad(pad, $0, $1) }
  }

  /// The sightings of one search.
  private final class Walk {
    let secrets: Secrets
    var sightings: [String] = []

    init(_ secrets: Secrets) {
      self.secrets = secrets
    }
  }

  private func look(_ kind: String, _ reach: (ReachFunc, gpointer?) -> Void) {
    let walk = Walk(secrets.current)
    unsafe reach(
      { place, bytes, size, data in
        guard let data = unsafe data else { return }
        let walk = unsafe Unmanaged<Walk>.fromOpaque(data).takeUnretainedValue()
        if let bytes = unsafe bytes {
          let all = unsafe UnsafeBufferPointer(start: bytes, count: Int(size))
          if unsafe !walk.secrets.areSeen(in: all) { return }
          unsafe walk.sightings.append(String(cString: place))
        } else {
          unsafe walk.sightings.append(String(cString: place) + ", which cannot be looked into")
        }
      }, Unmanaged.passUnretained(walk).toOpaque())
    log.change { $0.append(Departure(kind: kind, sightings: walk.sightings)) }
  }
}
