import CGStreamer
import Glibc
import TestSupport
import Testing

@testable import GstVBGFilter

/// The presets that the project installs.
@Suite struct PresetTests {
  @Test(arguments: [
    ("meeting", "balanced", "when-needed"), ("low-power", "fast", "when-needed"),
    ("studio", "accurate", "every-frame"),
  ])
  func presetsAreLoadedByName(_ name: String, _ quality: String, _ inference: String) async {
    await #expect(processExitsWith: .success) { [name, quality, inference] in
      // GStreamer reads the variable when it looks up the first preset of an element class.
      unsafe setenv("GST_PRESET_PATH", "\(TestFile.root)/meson-helper/presets", 1)
      let filter = try TestFilter()
      let preset = OpaquePointer(unsafe filter.element)
      let names = unsafe try #require(gst_preset_get_preset_names(preset))
      defer { unsafe g_strfreev(names) }
      #expect(unsafe g_strv_length(names) == 3)
      #expect(unsafe gst_preset_load_preset(preset, name) != 0)
      #expect(filter.value(of: "quality") == quality)
      #expect(filter.value(of: "inference") == inference)
    }
  }
}
