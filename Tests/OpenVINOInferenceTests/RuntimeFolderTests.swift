import Glibc
import TestSupport
import Testing
import VirtualBackground

@testable import OpenVINOInference

struct RuntimeFolderTests {
  private let folder = TemporaryFolder()

  @Test func theVariableComesFirst() {
    #expect(RuntimeFolder.candidates(override: "/a/b", image: "/lib/x.so") == ["/a/b"])
  }

  @Test func besideThePluginsFolder() {
    let image = "/no/such/lib/gstreamer-1.0/libgstvbgfilter.so"
    for override in [nil, ""] {
      #expect(
        RuntimeFolder.candidates(override: override, image: image)
          == ["/no/such/lib/gstreamer-1.0/../vbgfilter"])
    }
    // Beside the working directory, wherever that is.
    let program = RuntimeFolder.candidates(override: nil, image: "program").first ?? ""
    #expect(program.hasPrefix("/") && program.hasSuffix("/vbgfilter"), "\(program)")
    #expect(!program.contains(".."), "\(program)")
    #expect(RuntimeFolder.candidates(override: nil, image: nil).isEmpty)
  }

  @Test func behindALinkToThePlugin() {
    let (real, other) = (folder.path + "/real", folder.path + "/other")
    for path in [real, real + "/lib", other, other + "/lib"] {
      #expect(unsafe mkdir(path, 0o700) == 0)
    }
    let plugin = folder.write("real/lib/plugin.so", [])
    #expect(unsafe symlink(plugin, other + "/lib/link.so") == 0)
    #expect(
      RuntimeFolder.candidates(override: nil, image: other + "/lib/link.so")
        == [other + "/vbgfilter", real + "/vbgfilter"])
    #expect(
      RuntimeFolder.candidates(override: nil, image: other + "/lib/../lib/link.so").first
        == other + "/vbgfilter")
    // Above a folder that is a link lies what is above the real one.
    #expect(unsafe symlink(real + "/lib", other + "/linked") == 0)
    #expect(
      RuntimeFolder.candidates(override: nil, image: other + "/linked/plugin.so")
        == [real + "/vbgfilter"])
  }

  @Test func whatIsNotInstalledIsToldWithTheVariable() {
    let unset = RuntimeFolder.notInstalled("network", in: "/lib/vbgfilter/models", override: nil)
    #expect(unset.kind == .modelNotFound)
    #expect(
      unset.description
        == "No network is installed in /lib/vbgfilter/models; the variable VBGFILTER_RUNTIME_DIR "
        + "names the folder vbgfilter, if it does not lie beside the plugin's; "
        + "./meson-helper/bootstrap fetches the networks")
    let set = RuntimeFolder.notInstalled("net.onnx", in: "/wrong/models", override: "/wrong")
    #expect(
      set.description
        == "No net.onnx is installed in /wrong/models; the variable VBGFILTER_RUNTIME_DIR, which "
        + "is set to /wrong, names the folder vbgfilter; ./meson-helper/bootstrap fetches the "
        + "networks")
  }

  @Test func newestLibraryFirst() {
    for name in [
      "libopenvino_c.so", "libopenvino_c.so.2641", "libopenvino_c.so.999",
      "libopenvino_c.so.2026.10", "libopenvino_c.so.2026.9", "libopenvino.so.9999",
      "libopenvino_c.sox", "libtbb.so.12",
    ] {
      #expect(folder.write(name, []) != "")
    }
    #expect(
      RuntimeFolder.libraries(in: folder.path)
        == [".2641", ".2026.10", ".2026.9", ".999", ""].map {
          folder.path + "/libopenvino_c.so" + $0
        })
    #expect(RuntimeFolder.libraries(in: folder.path + "/none").isEmpty)
  }

  @Test func modelsOfTheFirstFolderThatHasThem() {
    #expect(RuntimeFolder.models(of: ["/no/such"]) == "/no/such/models")
    #expect(unsafe mkdir(folder.path + "/models", 0o700) == 0)
    #expect(RuntimeFolder.models(of: ["/no/such", folder.path]) == folder.path + "/models")
  }

  private func openError(_ candidates: [String]) -> SegmentationError? {
    errorOf { () throws(SegmentationError) in
      try OpenVINOLibrary(candidates: candidates, systemName: "libopenvino_c-none.so")
    }
  }

  @Test func missingLibraryNamesWhatWasLookedForAndTheRemedy() {
    let error = openError(["/no/such/vbgfilter"])
    #expect(error?.kind == .runtimeUnavailable)
    for words in [
      "/no/such/vbgfilter", "libopenvino_c-none.so does not load", "./meson-helper/bootstrap",
      "VBGFILTER_RUNTIME_DIR",
    ] {
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "no error")")
    }
  }

  @Test func brokenLibraryIsNamed() {
    let path = folder.write("libopenvino_c.so.2641", "not a library".utf8)
    #expect(openError([folder.path])?.description.contains("\(path) does not load (") == true)
  }

  @Test func libraryWithoutTheFunctionsIsNamed() {
    #expect(unsafe symlink("libm.so.6", folder.path + "/libopenvino_c.so.1") == 0)
    var information = stat()
    for place in ["/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/usr/lib"]
    where unsafe stat(place + "/libm.so.6", &information) == 0 {
      #expect(unsafe unlink(folder.path + "/libopenvino_c.so.1") == 0)
      #expect(unsafe symlink(place + "/libm.so.6", folder.path + "/libopenvino_c.so.1") == 0)
      let text = openError([folder.path])?.description ?? ""
      #expect(text.contains("it has no ov_get_openvino_version"), "\(text)")
      return
    }
    Issue.record("found no libm.so.6 to stand in for a library of another kind")
  }

  @Test func oneLibraryForTheProcess() throws {
    #expect(try OpenVINOLibrary.shared() === OpenVINOLibrary.shared())
  }
}
