import CGStreamer
import Glibc
import TestSupport
import Testing

@testable import GstVBGFilter

/// The plugin, loaded by GStreamer from a folder in a process without other settings.
struct PluginFolderTests {
  /// A plugin loaded from a relative path must not use that path after a change of directory.
  ///
  /// Another user may have put files there.
  @Test func aRelativeFolderIsNotUsedFromAnotherDirectory() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      for name in ["a", "a/plugins", "b", "b/plugins", "b/vbgfilter"] {
        try #require(unsafe mkdir(folder.path + "/" + name, 0o700) == 0)
      }
      let program = unsafe try #require(realpath("/proc/self/exe", nil))
      defer { unsafe free(program) }
      let tests = unsafe String(cString: program)
      let plugin = tests[..<(try #require(tests.lastIndex(of: "/")))] + "/libgstvbgfilter.so"
      try #require(unsafe access(String(plugin), R_OK) == 0, "\(plugin) was not built")
      try #require(
        unsafe symlink(String(plugin), folder.path + "/a/plugins/libgstvbgfilter.so") == 0)
      folder.write("b/vbgfilter/libopenvino_c.so.1", "no library")

      try #require(unsafe chdir(folder.path + "/a") == 0)
      unsafe unsetenv("VBGFILTER_RUNTIME_DIR")
      unsafe setenv("GST_PLUGIN_PATH", "plugins", 1)
      unsafe setenv("GST_PLUGIN_SYSTEM_PATH", "", 1)
      unsafe setenv("GST_REGISTRY", folder.path + "/registry.bin", 1)
      unsafe setenv("GST_REGISTRY_FORK", "no", 1)
      try #require(gst_init_check(nil, nil, nil) != 0)
      let element = unsafe try #require(gst_element_factory_make("vbgfilter", nil))
      unsafe gst_util_set_object_arg(
        UnsafeMutablePointer(OpaquePointer(element)), "model", PluginFolderTests.model)
      let bus = unsafe try #require(gst_bus_new())
      unsafe gst_element_set_bus(element, bus)

      try #require(unsafe chdir(folder.path + "/b") == 0)
      let change = unsafe gst_element_set_state(element, GST_STATE_PAUSED)
      try #require(change == GST_STATE_CHANGE_FAILURE)
      let texts = unsafe BusMessage.takeAll(from: bus).map(\.text).joined()
      try #require(texts.contains("OpenVINO cannot be used"), "\(texts)")
      #expect(!texts.contains("vbgfilter/libopenvino_c.so.1"), "\(texts)")
    }
  }

  /// A readable network, so that the plugin loads OpenVINO.
  private static let model = TestFile.fixture("models/red.onnx")
}
