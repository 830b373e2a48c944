import Glibc
import Matting
import TestSupport
import Testing

@testable import OpenVINOInference

struct RuntimeFolderTests {
  private let folder = TemporaryFolder()

  @Test func theVariableComesFirst() {
    let image = ImageFile(path: "/lib/x.so")
    #expect(RuntimeFolder.candidates(override: "/a/b", image: image) == ["/a/b"])
    // A relative override is ignored, and the plugin's folder is not used either.
    #expect(RuntimeFolder.candidates(override: "a/b", image: image).isEmpty)
  }

  @Test func besideThePluginsFolder() {
    let image = ImageFile(path: "/no/such/lib/gstreamer-1.0/libgstvbgfilter.so")
    #expect(RuntimeFolder.candidates(override: nil, image: image) == ["/no/such/lib/vbgfilter"])
    #expect(
      RuntimeFolder.candidates(override: nil, image: ImageFile(path: "/program"))
        == ["/vbgfilter"])
    #expect(RuntimeFolder.candidates(override: nil, image: nil).isEmpty)
  }

  @Test func behindALinkToThePlugin() {
    let (real, other) = (folder.path + "/real", folder.path + "/other")
    for path in [real, real + "/lib", other, other + "/lib"] {
      #expect(unsafe mkdir(path, 0o700) == 0)
    }
    let plugin = folder.write("real/lib/plugin.so", [])
    func candidates(_ link: String) -> [String] {
      RuntimeFolder.candidates(override: nil, image: ImageFile(path: plugin, link: link))
    }
    #expect(candidates(other + "/lib/link.so") == [other + "/vbgfilter", real + "/vbgfilter"])
    #expect(candidates(other + "/lib/../lib/link.so").first == other + "/vbgfilter")
    // The parent of a linked folder is the parent of the real folder.
    #expect(unsafe symlink(real + "/lib", other + "/linked") == 0)
    #expect(candidates(other + "/linked/plugin.so") == [real + "/vbgfilter"])
    #expect(candidates("/no/such/lib/link.so") == [real + "/vbgfilter"])
  }

  @Test func theKernelReportsTheFileOfAnAddress() throws {
    let maps = """
      10000-20000 r--p 00000000 fe:01 12      /usr/bin/program
      7f0000010000-7f0000020000 r--p 00000000 fe:01 13      /a/b c/plugin.so
      7f0000020000-7f0000030000 r-xp 00010000 fe:01 14      /a/old/plugin.so (deleted)
      7f0000030000-7f0000040000 rw-p 00000000 00:00 0
      7f0000040000-7f0000050000 rw-p 00000000 00:00 0       [heap]

      """
    #expect(ImageFile.path(of: 0x10000, in: maps) == "/usr/bin/program")
    #expect(ImageFile.path(of: 0x7f00_0001_ffff, in: maps) == "/a/b c/plugin.so")
    #expect(ImageFile.path(of: 0x7f00_0002_0000, in: maps) == "/a/old/plugin.so")
    for address: UInt in [0, 0x20000, 0x7f00_0003_0000, 0x7f00_0004_0000, .max] {
      #expect(ImageFile.path(of: address, in: maps) == nil)
    }
    // The test program itself is the image.
    let image = try #require(ImageFile.current)
    #expect(image == ImageFile(path: try #require(ImageFile.realPath("/proc/self/exe"))))
  }

  @Test("names the environment variable when a network is not installed")
  func namesVariableForMissingNetwork() {
    for (override, words) in [
      (nil, "if the folder vbgfilter is elsewhere, set the variable VBGFILTER_RUNTIME_DIR to it"),
      ("/wrong", "the variable VBGFILTER_RUNTIME_DIR is set to /wrong. Correct it"),
      ("a/b", "is set to a/b, which is not an absolute path. Correct it"),
    ] as [(String?, String)] {
      let error = RuntimeFolder.notInstalled("net.onnx", in: "/none/models", override: override)
      expect(error, .modelNotFound, "No net.onnx is installed in /none/models: ", words)
    }
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
    #expect(RuntimeFolder.models(of: []).hasPrefix("/nonexistent/"))
  }

  private func openError(_ candidates: [String]) -> SegmentationError? {
    errorOf { () throws(SegmentationError) in
      try OpenVINOLibrary(candidates: candidates, systemName: "libopenvino_c-none.so")
    }
  }

  @Test func theErrorForAMissingLibraryNamesTheFilesAndTheRemedy() {
    expect(
      openError(["/no/such/vbgfilter"]), .runtimeUnavailable, "/no/such/vbgfilter",
      "libopenvino_c-none.so cannot be loaded", SegmentationError.reinstallation,
      "VBGFILTER_RUNTIME_DIR")
  }

  @Test func brokenLibraryIsNamed() {
    let path = folder.write("libopenvino_c.so.2641", "not a library".utf8)
    #expect(openError([folder.path])?.description.contains("\(path) cannot be loaded (") == true)
  }

  @Test func libraryWithoutTheFunctionsIsNamed() throws {
    let library = try #require(systemLibrary())
    #expect(unsafe symlink(library, folder.path + "/libopenvino_c.so.1") == 0)
    let text = openError([folder.path])?.description ?? ""
    #expect(text.contains("it has no ov_get_openvino_version"), "\(text)")
  }

  @Test func aMissingFolderIsReported() {
    let reason = RuntimeFolder.reasonForNone(override: "a/b")
    #expect(
      reason == "the variable VBGFILTER_RUNTIME_DIR is set to a/b, which is not an absolute path")
  }

  @Test("loads the library once per process")
  func sharesLibrary() throws {
    #expect(try OpenVINOLibrary.shared() === OpenVINOLibrary.shared())
  }
}
