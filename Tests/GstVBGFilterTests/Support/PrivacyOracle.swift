import CGStreamer
import CTestSupport
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// Looks for secrets in everything that leaves an element: frames, with all that hangs on them, and
/// events, in their order, what its source pad keeps, and messages.
///
/// Pads and buses call it on whatever thread; what it sees is kept under a lock.
@safe final class PrivacyOracle: Sendable {
  /// Something that left.
  struct Departure: Sendable {
    /// The event's type, or `frame`, or `message`.
    let kind: String
    /// Where secrets were seen in it, or what could not be looked into.
    let sightings: [String]
  }

  private let secrets: Monitor<Secrets>
  private let log = Monitor<[Departure]>([])

  /// Looks for some secrets.
  init(_ secrets: Secrets) {
    self.secrets = Monitor(secrets)
  }

  /// Looks for other secrets from now on.
  func replaceSecrets(by secrets: Secrets) {
    self.secrets.change { $0 = secrets }
  }

  /// What left since this was last asked.
  func takeDepartures() -> [Departure] {
    log.withLock { log in
      defer { log = [] }
      return log
    }
  }

  /// Where secrets were seen since this was last asked.
  func takeSightings() -> [String] {
    takeDepartures().flatMap(\.sightings)
  }

  /// Watches a source pad and a bus, which keep this object for as long as they exist.
  func watch(
    _ pad: UnsafeMutablePointer<GstPad>, _ bus: UnsafeMutablePointer<GstBus>
  ) {
    // Retained for the pad and for the bus, each of which releases it.
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

  /// Looks into a frame.
  func look(at buffer: UnsafeMutablePointer<GstBuffer>) {
    unsafe look("frame") { unsafe reach_buffer(buffer, $0, $1) }
  }

  /// Looks into an event.
  func look(at event: UnsafeMutablePointer<GstEvent>) {
    let name = unsafe String(cString: gst_event_type_get_name(event.pointee.type))
    unsafe look(name) { unsafe reach_event(event, $0, $1) }
  }

  /// Looks into a message.
  func look(at message: UnsafeMutablePointer<GstMessage>) {
    unsafe look("message") { unsafe reach_message(message, $0, $1) }
  }

  /// Looks into the events that a pad keeps for whoever is linked to it.
  func look(atKeptBy pad: UnsafeMutablePointer<GstPad>) {
    unsafe look("kept events") { unsafe reach_pad(pad, $0, $1) }
  }

  /// What is seen on one walk through something.
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
