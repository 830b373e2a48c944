import CGStreamer
import GStreamerVideo
import GstElementSupport
import PixelTypes

// The negotiation of caps. `transformCaps` may be called on any thread, `fixateCaps` only on the
// streaming thread.

extension VBGFilterElement {
  /// Returns the caps of the opposite pad that are compatible with `caps`.
  ///
  /// `direction` is the direction of the pad with `caps`. If `filter` is not nil, the result is
  /// restricted to it. The caller owns the result.
  func transformCaps(
    _ caps: CapsPointer, of direction: GstPadDirection, filter: CapsPointer?
  ) -> CapsPointer? {
    if unsafe gst_caps_is_any(caps) != 0 { return unsafe ref(filter ?? caps) }
    let result = unsafe direction == GST_PAD_SINK ? outputs(of: caps) : inputs(of: caps)
    guard let result = unsafe result, let filter = unsafe filter else { return unsafe result }
    defer { unsafe unref(result) }
    return unsafe gst_caps_intersect_full(filter, result, GST_CAPS_INTERSECT_FIRST)
  }

  /// Chooses the fixed caps of the opposite pad from `other`.
  ///
  /// `caps` are the fixed caps of the pad with direction `direction`. Takes ownership of `other`.
  /// The caller owns the result.
  func fixateCaps(
    _ caps: CapsPointer, of direction: GstPadDirection, other: CapsPointer
  ) -> CapsPointer? {
    guard direction == GST_PAD_SINK else { return unsafe gst_caps_fixate(other) }
    let aim = NegotiationAim(settings.current)
    stream?.aim = aim
    let alternatives = unsafe CapsStructure.all(in: other)
    let possible = alternatives.flatMap { $0.formats ?? PixelFormat.allCases }
    let input = unsafe CapsStructure.all(in: caps).first?.formats?.first
    guard
      let format = aim.choose(
        from: aim == .sameFormat ? possible : sortedByDownstream(possible), input: input),
      let result = unsafe gst_caps_new_empty()
    else { return unsafe gst_caps_fixate(other) }
    defer { unsafe unref(other) }
    let chosen = alternatives.first { $0.formats?.contains(format) ?? true }
    unsafe chosen?.append([format], to: result)
    if format.colorModel == .rgb {
      unsafe CapsStructure.all(in: result).first?.setRGBColorimetry(from: caps)
    }
    return unsafe gst_caps_fixate(result)
  }

  /// Returns `formats` in the order that downstream prefers.
  ///
  /// Queries downstream again, because the base class queried it with a filter: that answer has the
  /// filter's order, not downstream's. Formats that downstream does not name come last. A format
  /// may occur twice.
  private func sortedByDownstream(_ formats: [PixelFormat]) -> [PixelFormat] {
    guard let caps = unsafe gst_pad_peer_query_caps(base.pointer.pointee.srcpad, nil) else {
      return formats
    }
    defer { unsafe unref(caps) }
    let named = unsafe CapsStructure.all(in: caps).flatMap { $0.formats ?? [] }
    return named.filter { formats.contains($0) } + formats
  }

  /// Returns the output caps for input caps, with formats in order of preference.
  ///
  /// The caller owns the result.
  private func outputs(of caps: CapsPointer) -> CapsPointer? {
    if unsafe gst_caps_is_any(caps) != 0 { return unsafe gst_caps_new_any() }
    let aim = NegotiationAim(settings.current)
    let result = unsafe gst_caps_new_empty()
    for structure in unsafe CapsStructure.all(in: caps) {
      var remaining = aim.outputFormats(for: structure.formats?.first)[...]
      // Append a structure for each group of adjacent formats with the same colour fields.
      while let first = remaining.first {
        let group = remaining.prefix { $0.colorFields == first.colorFields }
        remaining = remaining.dropFirst(group.count)
        unsafe structure.append(Array(group), to: result)
      }
    }
    return unsafe result
  }

  /// Returns the input caps for output caps.
  ///
  /// The formats that need no conversion come first. The caller owns the result.
  private func inputs(of caps: CapsPointer) -> CapsPointer? {
    let result = unsafe gst_caps_new_empty()
    for structure in unsafe CapsStructure.all(in: caps) {
      var formats = structure.formats ?? PixelFormat.allCases
      while let first = formats.first {
        let group = formats.filter { $0.colorFields == first.colorFields }
        formats.removeAll { group.contains($0) }
        let unconverted = group.filter(\.isInput)
        unsafe structure.append(
          unconverted + PixelFormat.allCases.filter { $0.isInput && !unconverted.contains($0) },
          keeping: first.colorFields, to: result)
      }
    }
    return unsafe result
  }
}
