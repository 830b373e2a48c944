import CGStreamer
import GStreamerVideo
import GstElementSupport
import PixelTypes

// The negotiation of caps. `transformCaps` is called on any thread, `fixateCaps` only on the
// streaming thread.

extension VBGFilterElement {
  /// The caps of the other pad that are compatible with `caps`.
  ///
  /// The caller owns them.
  func transformCaps(
    _ caps: CapsPointer, of direction: GstPadDirection, filter: CapsPointer?
  ) -> CapsPointer? {
    let result = unsafe direction == GST_PAD_SINK ? outputs(of: caps) : inputs(of: caps)
    guard let result = unsafe result, let filter = unsafe filter else { return unsafe result }
    defer { unsafe unref(result) }
    return unsafe gst_caps_intersect_full(filter, result, GST_CAPS_INTERSECT_FIRST)
  }

  /// Chooses the output caps among `other`, which it takes over.
  ///
  /// The caller owns the result.
  func fixateCaps(
    _ caps: CapsPointer, of direction: GstPadDirection, other: CapsPointer
  ) -> CapsPointer? {
    guard direction == GST_PAD_SINK else { return unsafe gst_caps_fixate(other) }
    let aim = NegotiationAim(settings.current)
    state?.aim = aim
    let alternatives = unsafe CapsStructure.all(in: other)
    let possible = alternatives.flatMap { $0.formats ?? PixelFormat.allCases }
    let input = unsafe CapsStructure.all(in: caps).first?.formats?.first
    guard
      let format = aim.choose(
        from: aim == .sameFormat ? possible : inDownstreamsOrder(possible), input: input),
      let result = unsafe gst_caps_new_empty()
    else { return unsafe gst_caps_fixate(other) }
    defer { unsafe unref(other) }
    let chosen = alternatives.first { $0.formats?.contains(format) ?? true }
    unsafe chosen?.append([format], to: result)
    if format.isRGB {
      unsafe CapsStructure.all(in: result).first?.setRGBColorimetry(from: caps)
    }
    return unsafe gst_caps_fixate(result)
  }

  /// Sorts formats into the order of an unfiltered query to downstream.
  ///
  /// The `other` caps have the order of the filter in their query instead.
  private func inDownstreamsOrder(_ formats: [PixelFormat]) -> [PixelFormat] {
    guard let caps = unsafe gst_pad_peer_query_caps(base.pointer.pointee.srcpad, nil) else {
      return formats
    }
    defer { unsafe unref(caps) }
    let named = unsafe CapsStructure.all(in: caps).flatMap { $0.formats ?? [] }
    return named.filter { formats.contains($0) } + formats
  }

  /// The formats that frames of `caps` can become, in order of preference.
  private func outputs(of caps: CapsPointer) -> CapsPointer? {
    if unsafe gst_caps_is_any(caps) != 0 { return unsafe gst_caps_new_any() }
    let aim = NegotiationAim(settings.current)
    let result = unsafe gst_caps_new_empty()
    for structure in unsafe CapsStructure.all(in: caps) {
      var wanted = aim.wanted(of: structure.formats?.first)[...]
      // A structure for each group of adjacent formats with the same fields.
      while let first = wanted.first {
        let run = wanted.prefix { $0.colorFields == first.colorFields }
        wanted = wanted.dropFirst(run.count)
        unsafe structure.append(Array(run), to: result)
      }
    }
    return unsafe result
  }

  /// The formats that frames of `caps` can be made from, beginning with the same format.
  private func inputs(of caps: CapsPointer) -> CapsPointer? {
    if unsafe gst_caps_is_any(caps) != 0 { return unsafe gst_caps_new_any() }
    let result = unsafe gst_caps_new_empty()
    for structure in unsafe CapsStructure.all(in: caps) {
      var formats = structure.formats ?? PixelFormat.allCases
      while let first = formats.first {
        let alike = formats.filter { $0.colorFields == first.colorFields }
        formats.removeAll { alike.contains($0) }
        let own = alike.filter(\.isInput)
        unsafe structure.append(
          own + PixelFormat.allCases.filter { $0.isInput && !own.contains($0) },
          keeping: first.colorFields, to: result)
      }
    }
    return unsafe result
  }

  private func unref(_ caps: CapsPointer) {
    unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(caps)))
  }
}
