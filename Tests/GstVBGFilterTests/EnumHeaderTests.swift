import CGStreamer
import CVBGFilter
import Testing

@testable import GstVBGFilter

/// The header for applications in C says what the element says.
@Suite struct EnumHeaderTests {
  static let types: [(name: String, values: [String: UInt32])] = [
    (
      "GstVBGFilterEffect",
      [
        "auto": GST_VBG_FILTER_EFFECT_AUTO.rawValue, "blur": GST_VBG_FILTER_EFFECT_BLUR.rawValue,
        "replace": GST_VBG_FILTER_EFFECT_REPLACE.rawValue,
        "color": GST_VBG_FILTER_EFFECT_COLOR.rawValue,
        "transparent": GST_VBG_FILTER_EFFECT_TRANSPARENT.rawValue,
        "matte": GST_VBG_FILTER_EFFECT_MATTE.rawValue, "none": GST_VBG_FILTER_EFFECT_NONE.rawValue,
      ]
    ),
    (
      "GstVBGFilterQuality",
      [
        "fast": GST_VBG_FILTER_QUALITY_FAST.rawValue,
        "balanced": GST_VBG_FILTER_QUALITY_BALANCED.rawValue,
        "accurate": GST_VBG_FILTER_QUALITY_ACCURATE.rawValue,
        "auto": GST_VBG_FILTER_QUALITY_AUTO.rawValue,
      ]
    ),
    (
      "GstVBGFilterInference",
      [
        "every-frame": GST_VBG_FILTER_INFERENCE_EVERY_FRAME.rawValue,
        "when-needed": GST_VBG_FILTER_INFERENCE_WHEN_NEEDED.rawValue,
      ]
    ),
    (
      "GstVBGFilterPacing",
      [
        "reuse-matte": GST_VBG_FILTER_PACING_REUSE_MATTE.rawValue,
        "repeat-frame": GST_VBG_FILTER_PACING_REPEAT_FRAME.rawValue,
        "drop-frame": GST_VBG_FILTER_PACING_DROP_FRAME.rawValue,
      ]
    ),
    (
      "GstVBGFilterFit",
      [
        "cover": GST_VBG_FILTER_FIT_COVER.rawValue, "contain": GST_VBG_FILTER_FIT_CONTAIN.rawValue,
        "stretch": GST_VBG_FILTER_FIT_STRETCH.rawValue,
      ]
    ),
    (
      "GstVBGFilterInputOrientation",
      [
        "identity": GST_VBG_FILTER_INPUT_ORIENTATION_IDENTITY.rawValue,
        "90r": GST_VBG_FILTER_INPUT_ORIENTATION_90R.rawValue,
        "180": GST_VBG_FILTER_INPUT_ORIENTATION_180.rawValue,
        "90l": GST_VBG_FILTER_INPUT_ORIENTATION_90L.rawValue,
        "horiz": GST_VBG_FILTER_INPUT_ORIENTATION_HORIZ.rawValue,
        "vert": GST_VBG_FILTER_INPUT_ORIENTATION_VERT.rawValue,
        "ul-lr": GST_VBG_FILTER_INPUT_ORIENTATION_UL_LR.rawValue,
        "ur-ll": GST_VBG_FILTER_INPUT_ORIENTATION_UR_LL.rawValue,
        "auto": GST_VBG_FILTER_INPUT_ORIENTATION_AUTO.rawValue,
      ]
    ),
    (
      "GstVBGFilterKeep",
      [
        "everyone": GST_VBG_FILTER_KEEP_EVERYONE.rawValue,
        "nearest": GST_VBG_FILTER_KEEP_NEAREST.rawValue,
        "tracked": GST_VBG_FILTER_KEEP_TRACKED.rawValue,
      ]
    ),
    (
      "GstVBGFilterOnFailure",
      [
        "blur": GST_VBG_FILTER_ON_FAILURE_BLUR.rawValue,
        "color": GST_VBG_FILTER_ON_FAILURE_COLOR.rawValue,
        "hold": GST_VBG_FILTER_ON_FAILURE_HOLD.rawValue,
        "drop": GST_VBG_FILTER_ON_FAILURE_DROP.rawValue,
        "error": GST_VBG_FILTER_ON_FAILURE_ERROR.rawValue,
      ]
    ),
  ]

  @Test(arguments: types)
  func itHasTheElementsValues(_ name: String, _ values: [String: UInt32]) throws {
    let element = unsafe try GStreamer.make("vbgfilter")
    defer { unsafe GStreamer.unref(element) }
    let list = unsafe UnsafeMutablePointer<GEnumClass>(
      OpaquePointer(try #require(g_type_class_ref(g_type_from_name(name)))))
    defer { unsafe g_type_class_unref(list) }
    var found: [String: UInt32] = [:]
    for index in 0..<Int(unsafe list.pointee.n_values) {
      let value = unsafe list.pointee.values[index]
      unsafe found[String(cString: value.value_nick)] = UInt32(value.value)
    }
    #expect(found == values)
  }
}
