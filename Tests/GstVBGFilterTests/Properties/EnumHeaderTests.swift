import CGStreamer
import CVBGFilter
import Testing

@testable import GstVBGFilter

/// The C header for applications must match the element.
@Suite struct EnumHeaderTests {
  /// The type, the values of the header and their names.
  static let types: [(type: String, values: [UInt32], names: String)] = [
    (
      "GstVBGFilterEffect",
      [
        GST_VBG_FILTER_EFFECT_AUTO, GST_VBG_FILTER_EFFECT_BLUR, GST_VBG_FILTER_EFFECT_REPLACE,
        GST_VBG_FILTER_EFFECT_COLOR, GST_VBG_FILTER_EFFECT_TRANSPARENT, GST_VBG_FILTER_EFFECT_MATTE,
        GST_VBG_FILTER_EFFECT_NONE,
      ].map(\.rawValue), "auto blur replace color transparent matte none"
    ),
    (
      "GstVBGFilterBlurShape",
      [GST_VBG_FILTER_BLUR_SHAPE_GAUSSIAN, GST_VBG_FILTER_BLUR_SHAPE_LENS].map(\.rawValue),
      "gaussian lens"
    ),
    (
      "GstVBGFilterFraming",
      [GST_VBG_FILTER_FRAMING_FIXED, GST_VBG_FILTER_FRAMING_FOLLOW].map(\.rawValue),
      "fixed follow"
    ),
    (
      "GstVBGFilterQuality",
      [
        GST_VBG_FILTER_QUALITY_FAST, GST_VBG_FILTER_QUALITY_BALANCED,
        GST_VBG_FILTER_QUALITY_ACCURATE, GST_VBG_FILTER_QUALITY_AUTO,
      ].map(\.rawValue), "fast balanced accurate auto"
    ),
    (
      "GstVBGFilterInference",
      [
        GST_VBG_FILTER_INFERENCE_EVERY_FRAME, GST_VBG_FILTER_INFERENCE_WHEN_NEEDED,
      ].map(\.rawValue), "every-frame when-needed"
    ),
    (
      "GstVBGFilterPacing",
      [
        GST_VBG_FILTER_PACING_REUSE_MATTE, GST_VBG_FILTER_PACING_REPEAT_FRAME,
        GST_VBG_FILTER_PACING_DROP_FRAME,
      ].map(\.rawValue), "reuse-matte repeat-frame drop-frame"
    ),
    (
      "GstVBGFilterFit",
      [
        GST_VBG_FILTER_FIT_COVER, GST_VBG_FILTER_FIT_CONTAIN, GST_VBG_FILTER_FIT_STRETCH,
      ].map(\.rawValue), "cover contain stretch"
    ),
    (
      "GstVBGFilterInputOrientation",
      [
        GST_VBG_FILTER_INPUT_ORIENTATION_IDENTITY, GST_VBG_FILTER_INPUT_ORIENTATION_90R,
        GST_VBG_FILTER_INPUT_ORIENTATION_180, GST_VBG_FILTER_INPUT_ORIENTATION_90L,
        GST_VBG_FILTER_INPUT_ORIENTATION_HORIZ, GST_VBG_FILTER_INPUT_ORIENTATION_VERT,
        GST_VBG_FILTER_INPUT_ORIENTATION_UL_LR, GST_VBG_FILTER_INPUT_ORIENTATION_UR_LL,
        GST_VBG_FILTER_INPUT_ORIENTATION_AUTO,
      ].map(\.rawValue), "identity 90r 180 90l horiz vert ul-lr ur-ll auto"
    ),
    (
      "GstVBGFilterKeep",
      [
        GST_VBG_FILTER_KEEP_EVERYONE, GST_VBG_FILTER_KEEP_NEAREST, GST_VBG_FILTER_KEEP_TRACKED,
      ].map(\.rawValue), "everyone nearest tracked"
    ),
    (
      "GstVBGFilterOnFailure",
      [
        GST_VBG_FILTER_ON_FAILURE_BLUR, GST_VBG_FILTER_ON_FAILURE_COLOR,
        GST_VBG_FILTER_ON_FAILURE_HOLD, GST_VBG_FILTER_ON_FAILURE_DROP,
        GST_VBG_FILTER_ON_FAILURE_ERROR,
      ].map(\.rawValue), "blur color hold drop error"
    ),
  ]

  @Test(arguments: types)
  func theHeaderMatchesTheElement(_ type: String, _ values: [UInt32], _ names: String) throws {
    let element = unsafe try GStreamer.make("vbgfilter")
    defer { unsafe GStreamer.unref(element) }
    let list = unsafe UnsafeMutablePointer<GEnumClass>(
      OpaquePointer(try #require(g_type_class_ref(g_type_from_name(type)))))
    defer { unsafe g_type_class_unref(list) }
    var found: [String: UInt32] = [:]
    for index in 0..<Int(unsafe list.pointee.n_values) {
      let value = unsafe list.pointee.values[index]
      unsafe found[String(cString: value.value_nick)] = UInt32(value.value)
    }
    let names = names.split(separator: " ").map(String.init)
    #expect(found == Dictionary(uniqueKeysWithValues: zip(names, values)))
  }
}
