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
    #expect(RuntimeFolder.candidates(override: nil, image: "program") == ["./../vbgfilter"])
    #expect(RuntimeFolder.candidates(override: nil, image: nil).isEmpty)
  }

  @Test func behindALinkToThePlugin() {
    let plugin = folder.write("plugin.so", [])
    let other = TemporaryFolder()
    #expect(unsafe symlink(plugin, other.path + "/link.so") == 0)
    #expect(
      RuntimeFolder.candidates(override: nil, image: other.path + "/link.so")
        == [other.path + "/../vbgfilter", folder.path + "/../vbgfilter"])
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
