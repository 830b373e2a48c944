// swift-tools-version: 6.2

import PackageDescription

/// The settings of every Swift target.
///
/// The tools version selects Swift 6 mode. A warning is an error. Each use of unsafe memory must be
/// marked, so that reviewers see it.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// Optimises code that processes whole frames, even in a debug build.
///
/// Without the optimiser a test of a 1080p frame takes seconds. The flag does not change results.
/// SwiftPM accepts a dependency with unsafe flags, also by version, if its tools version is 6.2.
let optimised: [SwiftSetting] = [
  .unsafeFlags(["-O"], .when(configuration: .debug))
]

/// Turns the optimiser off for small tests: it would take longer than the tests run.
let plain: [SwiftSetting] = [
  .unsafeFlags(["-Onone"], .when(configuration: .release))
]

/// Builds of the row kernels for wider instruction sets, from the same files by symbolic links.
///
/// Swift has no attribute that compiles one function for another instruction set. Clang's `-march`
/// option also applies to Swift's code generator. AVX-512 gathers are slower than the scalar loads
/// that they replace. Without them, kernels that read scattered samples take half the time.
let withoutGathers =
  ["-Xcc", "-Xclang", "-Xcc", "-target-feature", "-Xcc", "-Xclang", "-Xcc"]
  + ["+prefer-no-gather"]
let widerKernelsOfX86: [Target] = [
  .target(
    name: "PixelKernelsV3", dependencies: ["PixelTypes"],
    swiftSettings: strict + optimised + [.unsafeFlags(["-Xcc", "-march=x86-64-v3"])]),
  .target(
    name: "PixelKernelsV4", dependencies: ["PixelTypes"],
    swiftSettings: strict + optimised + [
      .unsafeFlags(["-Xcc", "-march=x86-64-v4"] + withoutGathers)
    ]),
]

// SwiftPM compiles this file for the build machine. A cross-build sets a variable.
#if arch(x86_64)
  let buildsForX86 = Context.environment["VBGFILTER_MACHINE"] ?? "x86_64" == "x86_64"
#else
  let buildsForX86 = false
#endif
let widerKernels = buildsForX86 ? widerKernelsOfX86 : []

let widerDependencies: [Target.Dependency] = widerKernels.map { .target(name: $0.name) }

// The type checker of Swift 6.2 cannot handle the whole package as one expression.
let products: [Product] = [
  // GStreamer derives the name of the entry point from the file name: libgstvbgfilter.so.
  .library(name: "gstvbgfilter", type: .dynamic, targets: ["GstVBGFilter"]),
  // For custom filters. Packages can also depend on it by version, because its targets have no
  // unsafe flags.
  .library(name: "GstVideoFilterKit", targets: ["GstVideoFilterKit"]),
  // GStreamer's headers, for programs that use the kit and call GStreamer directly.
  .library(name: "CGStreamer", targets: ["CGStreamer"]),
  // For packages that depend on this one by path. Finds faces. The other targets declare the types
  // of its interface.
  .library(
    name: "PersonSelection",
    targets: ["Matting", "OpenVINOInference", "PersonSelection", "PixelTypes"]),
  // Also by path only. Hides the room behind a person.
  .library(
    name: "VirtualBackground",
    targets: [
      "Compositing", "Matting", "OpenVINOInference", "PersonSelection",
      "PixelTypes", "Processor", "VirtualBackground",
    ]),
  // Also by path only. Loads images and videos as backgrounds, on threads of its own.
  .library(
    name: "GstBackground",
    targets: ["Compositing", "GstBackground", "PixelTypes", "Threads"]),
]

let targets: [Target] = [
  // Headers only. libgstapp, -base and -video share one include folder, so one .pc file provides
  // the flags. The module map names the libraries.
  .systemLibrary(
    name: "CGStreamer", pkgConfig: "gstreamer-video-1.0",
    providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]),
  // Headers only. The libraries are opened at run time, so that scanning the plugin does not load
  // them.
  .systemLibrary(name: "COpenVINO", pkgConfig: "openvino"),

  .target(name: "PixelTypes", swiftSettings: strict),
  // Synchronisation between threads.
  .target(name: "Threads", swiftSettings: strict),
  // Opens files from outside, and inspects pictures before a decoder opens them.
  .target(name: "InputFiles", swiftSettings: strict),
  .target(
    name: "PixelKernels", dependencies: ["PixelTypes"], swiftSettings: strict + optimised),
  // Selects kernels that the processor supports. No other code calls kernels of a wider instruction
  // set.
  .target(name: "CProcessor"),
  .target(
    name: "Processor",
    dependencies: ["CProcessor", "PixelKernels", "PixelTypes"] + widerDependencies,
    swiftSettings: strict),
  // From a frame to its matte.
  .target(
    name: "Matting",
    dependencies: ["CProcessor", "PixelTypes", "Processor", "Threads"],
    swiftSettings: strict + optimised),
  // From a matte of several people to a matte of one.
  .target(
    name: "PersonSelection",
    dependencies: ["Matting", "PixelTypes", "Processor"],
    swiftSettings: strict + optimised),
  // From a frame, its matte and a background to a picture.
  .target(
    name: "Compositing",
    dependencies: ["Matting", "PixelTypes", "Processor", "Threads"],
    swiftSettings: strict + optimised),
  // Frame in, frame out.
  .target(
    name: "VirtualBackground",
    dependencies: [
      "Compositing", "Matting", "PersonSelection", "PixelTypes", "Processor",
      "Threads",
    ],
    swiftSettings: strict + optimised),
  .target(
    name: "OpenVINOInference",
    dependencies: [
      "COpenVINO", "InputFiles", "Matting", "PersonSelection", "PixelTypes",
      "Processor", "Threads",
    ],
    swiftSettings: strict),
  .target(
    name: "CVBGFilter", dependencies: ["CGStreamer"],
    cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
  .target(
    name: "GstVBGFilter",
    dependencies: [
      "CGStreamer", "CGstElement", "CVBGFilter", "Compositing", "GStreamerVideo", "GstBackground",
      "GstElementSupport", "Matting", "OpenVINOInference", "PersonSelection",
      "PixelTypes", "Processor", "Threads", "VirtualBackground",
    ],
    swiftSettings: strict),

  // The contents of buffers, for elements and filters. Has no unsafe flags, so that filters can use
  // it.
  .target(
    name: "GStreamerVideo", dependencies: ["CGStreamer", "PixelTypes"], swiftSettings: strict),

  // Decodes images and videos that replace the background.
  .target(
    name: "GstBackground",
    dependencies: [
      "CGStreamer", "Compositing", "InputFiles", "GStreamerVideo", "Matting", "PixelTypes",
      "Processor", "Threads",
    ],
    swiftSettings: strict),

  // The C class behind all elements, and the Swift code that they share.
  .target(name: "CGstElement", dependencies: ["CGStreamer"]),
  .target(
    name: "GstElementSupport", dependencies: ["CGStreamer", "CGstElement"],
    swiftSettings: strict),

  .target(
    name: "GstVideoFilterKit",
    dependencies: [
      "CGStreamer", "CGstElement", "GStreamerVideo", "GstElementSupport", "PixelTypes", "Threads",
    ],
    // A row is a span with a lifetime that depends on its plane.
    swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")]),
]

let testTargets: [Target] = [
  // Replaces malloc in the test process only, and counts the allocations per frame.
  .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
  .target(
    name: "TestSupport",
    dependencies: [
      "Compositing", "Matting", "PersonSelection", "PixelTypes", "Processor",
      "Threads", "VirtualBackground",
    ],
    // Generates and compares whole frames.
    path: "Tests/TestSupport", swiftSettings: strict + optimised),
  .testTarget(
    name: "PixelKernelsTests", dependencies: ["Processor", "PixelTypes", "TestSupport"],
    swiftSettings: strict),
  .testTarget(
    name: "ProcessorTests", dependencies: ["Processor"], swiftSettings: strict + plain),
  .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: strict + plain),
  .testTarget(
    name: "InputFilesTests", dependencies: ["InputFiles", "TestSupport"],
    swiftSettings: strict + plain),
  .testTarget(
    name: "MattingTests",
    dependencies: [
      "CAllocationCounter", "Matting", "PixelTypes", "Processor", "TestSupport",
    ],
    swiftSettings: strict + optimised),
  .testTarget(
    name: "CompositingTests",
    dependencies: ["Compositing", "PixelTypes", "Processor", "TestSupport"],
    swiftSettings: strict + optimised),
  .testTarget(
    name: "VirtualBackgroundTests",
    dependencies: [
      "CAllocationCounter", "Compositing", "Matting", "PersonSelection",
      "PixelTypes", "Processor", "TestSupport", "Threads", "VirtualBackground",
    ],
    swiftSettings: strict),
  .testTarget(
    name: "PersonSelectionTests",
    dependencies: [
      "CAllocationCounter", "Matting", "PersonSelection", "PixelTypes",
      "Processor", "TestSupport", "VirtualBackground",
    ],
    swiftSettings: strict + optimised),
  .testTarget(
    name: "OpenVINOInferenceTests",
    dependencies: [
      "CAllocationCounter", "InputFiles", "Matting", "OpenVINOInference",
      "PersonSelection", "PixelTypes", "TestSupport", "Threads", "VirtualBackground",
    ],
    swiftSettings: strict + plain),
  // GStreamer's test harness for elements.
  .systemLibrary(
    name: "CGStreamerCheck", path: "Tests/CGStreamerCheck", pkgConfig: "gstreamer-check-1.0"),
  .target(name: "CTestSupport", dependencies: ["CGStreamer"], path: "Tests/CTestSupport"),
  .testTarget(
    name: "GstElementSupportTests",
    dependencies: ["CGStreamer", "CGStreamerCheck", "CGstElement", "GstElementSupport"],
    swiftSettings: strict + plain),
  .testTarget(
    name: "GstVideoFilterKitTests",
    dependencies: [
      "CGStreamer", "CGStreamerCheck", "GstElementSupport", "GstVideoFilterKit", "TestSupport",
      "Threads",
    ],
    swiftSettings: strict + plain),
  // These tests process whole frames, so they need the optimiser, too.
  .testTarget(
    name: "GstVBGFilterTests",
    dependencies: [
      "CAllocationCounter", "CGStreamer", "CGStreamerCheck", "CTestSupport", "CVBGFilter",
      "Compositing", "GstBackground", "GstElementSupport", "GstVBGFilter", "Matting",
      "OpenVINOInference", "PersonSelection", "PixelTypes", "TestSupport", "Threads",
      "VirtualBackground",
    ],
    swiftSettings: strict + optimised),
  // The entry points of the fuzzers. The tests rerun the inputs that the fuzzers found.
  .target(
    name: "FuzzTargets",
    dependencies: [
      "CGStreamer", "CGStreamerCheck", "CTestSupport", "CVBGFilter", "Compositing", "InputFiles",
      "GstElementSupport", "GstVBGFilter", "Matting", "OpenVINOInference",
      "PersonSelection", "PixelTypes", "Processor", "TestSupport", "Threads", "VirtualBackground",
    ],
    path: "Tests/FuzzTargets", swiftSettings: strict + optimised),
  .testTarget(
    name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "TestSupport"],
    swiftSettings: strict + plain),
]

let package = Package(
  name: "vbgfilter", products: products, targets: targets + testTargets + widerKernels)

// A sanitizer build runs few tests. This variable lists their targets, separated by commas. The
// build leaves out all other test targets.
if let targets = Context.environment["VBGFILTER_TEST_TARGETS"]?.split(separator: ",") {
  package.targets.removeAll { target in
    target.type == .test && !targets.contains { $0 == target.name }
  }
}

// Only meson-helper/fuzz sets this variable, because the target links only with libFuzzer.
if Context.environment["VBGFILTER_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(name: "Fuzzer", dependencies: ["FuzzTargets"], path: "Tests/Fuzzer"))
}
