// swift-tools-version: 6.2

import PackageDescription

/// Every Swift target: Swift 6 mode comes with the tools version; a warning is an error, and each
/// use of unsafe memory is marked where it stands, so that it can be read in review.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// Pixel kernels run over whole frames even in a debug build.
///
/// Without the optimiser a test of a 1080p frame takes seconds. The flag changes no result. SwiftPM
/// takes packages of tools version 6.2 with unsafe flags as dependencies, by version too.
let optimised: [SwiftSetting] = [
  .unsafeFlags(["-O"], .when(configuration: .debug))
]

/// Tests that do little themselves are not optimised: the optimiser takes longer than they do.
let plain: [SwiftSetting] = [
  .unsafeFlags(["-Onone"], .when(configuration: .release))
]

/// The row kernels once more for wider instruction sets, from the same files by symbolic links.
///
/// Swift has no attribute that compiles one function for another instruction set; clang's `-march`
/// also decides what Swift's own code generator uses. Gathers of AVX-512 cost more than the scalar
/// loads that they stand for: the kernels that need scattered samples take half the time without.
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

// This file is compiled for the machine that builds: a build for another says so in a variable.
#if arch(x86_64)
  let buildsForX86 = Context.environment["VBGFILTER_MACHINE"] ?? "x86_64" == "x86_64"
#else
  let buildsForX86 = false
#endif
let widerKernels = buildsForX86 ? widerKernelsOfX86 : []

let widerDependencies: [Target.Dependency] = widerKernels.map { .target(name: $0.name) }

// One expression for all of it is more than the type checker of Swift 6.2 takes.
let products: [Product] = [
  // GStreamer derives the entry point's name from the file's: libgstvbgfilter.so.
  .library(name: "gstvbgfilter", type: .dynamic, targets: ["GstVBGFilter"]),
  // For filters of one's own, also for packages that depend on it by version: no target below it has
  // an unsafe flag.
  .library(name: "GstVideoFilterKit", targets: ["GstVideoFilterKit"]),
  // GStreamer's headers, for programs that call it beside the kit.
  .library(name: "CGStreamer", targets: ["CGStreamer"]),
  // For packages that name this one by its path: finds faces, with all that its interface names.
  .library(
    name: "PersonSelection",
    targets: ["InferenceTypes", "Matting", "OpenVINOInference", "PersonSelection", "PixelTypes"]),
  // As well by its path: hides the room behind a person.
  .library(
    name: "VirtualBackground",
    targets: [
      "Compositing", "InferenceTypes", "Matting", "OpenVINOInference", "PersonSelection",
      "PixelTypes", "Processor", "VirtualBackground",
    ]),
  // As well: images and videos as backgrounds, loaded beside the frames.
  .library(
    name: "GstBackground",
    targets: ["Compositing", "GstBackground", "PixelTypes", "Threads"]),
]

let targets: [Target] = [
  // Headers only. libgstapp, -base and -video have one include folder, so one .pc is enough
  // for the flags; the module map names the libraries.
  .systemLibrary(
    name: "CGStreamer", pkgConfig: "gstreamer-video-1.0",
    providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]),
  // Headers only: the libraries are opened at run time, so that scanning the plugin loads none.
  .systemLibrary(name: "COpenVINO", pkgConfig: "openvino"),

  .target(name: "PixelTypes", swiftSettings: strict),
  // What threads share.
  .target(name: "Threads", swiftSettings: strict),
  // What files of pictures tell before anything decodes them.
  .target(name: "PictureFiles", swiftSettings: strict),
  .target(
    name: "PixelKernels", dependencies: ["PixelTypes"], swiftSettings: strict + optimised),
  // The only code that calls kernels of a wider instruction set, after asking the processor.
  .target(name: "CProcessor"),
  .target(
    name: "Processor",
    dependencies: ["CProcessor", "PixelKernels", "PixelTypes"] + widerDependencies,
    swiftSettings: strict),
  // What the code that feeds a network and the code that runs it agree on.
  .target(name: "InferenceTypes", dependencies: ["PixelTypes"], swiftSettings: strict),
  // A hint to the processor that Swift has no word for.
  .target(name: "CPrefetch"),
  // From a frame to its matte.
  .target(
    name: "Matting", dependencies: ["CPrefetch", "InferenceTypes", "PixelTypes", "Threads"],
    swiftSettings: strict + optimised),
  // From a matte of several people to a matte of one.
  .target(
    name: "PersonSelection", dependencies: ["InferenceTypes", "Matting", "PixelTypes"],
    swiftSettings: strict + optimised),
  // From a frame, its matte and a background to a picture.
  .target(
    name: "Compositing", dependencies: ["InferenceTypes", "Matting", "PixelTypes", "Threads"],
    swiftSettings: strict + optimised),
  // Frame in, frame out.
  .target(
    name: "VirtualBackground",
    dependencies: [
      "Compositing", "InferenceTypes", "Matting", "PersonSelection", "PixelTypes", "Threads",
    ],
    swiftSettings: strict + optimised),
  .target(
    name: "OpenVINOInference",
    dependencies: [
      "COpenVINO", "InferenceTypes", "PersonSelection", "PixelTypes", "Processor", "Threads",
    ],
    swiftSettings: strict),
  .target(
    name: "CVBGFilter", dependencies: ["CGStreamer"],
    cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
  .target(
    name: "GstVBGFilter",
    dependencies: [
      "CGStreamer", "CVBGFilter", "Compositing", "GStreamerVideo", "GstBackground",
      "GstElementSupport", "InferenceTypes", "Matting", "OpenVINOInference", "PersonSelection",
      "PixelTypes", "Processor", "Threads", "VirtualBackground",
    ],
    swiftSettings: strict),

  // What buffers hold; for both elements and filters, so without unsafe flags.
  .target(
    name: "GStreamerVideo", dependencies: ["CGStreamer", "PixelTypes"], swiftSettings: strict),

  // Images and videos to stand behind a person.
  .target(
    name: "GstBackground",
    dependencies: [
      "CGStreamer", "Compositing", "GStreamerVideo", "Matting", "PictureFiles", "PixelTypes",
      "Processor", "Threads",
    ],
    swiftSettings: strict),

  // The one C class behind all elements, and what they share in Swift.
  .target(name: "CGstElement", dependencies: ["CGStreamer"]),
  .target(
    name: "GstElementSupport", dependencies: ["CGStreamer", "CGstElement"],
    swiftSettings: strict),

  .target(
    name: "GstVideoFilterKit",
    dependencies: [
      "CGStreamer", "GStreamerVideo", "GstElementSupport", "PixelTypes", "Threads",
    ],
    // Rows of a plane are spans that depend on it.
    swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")]),
]

let testTargets: [Target] = [
  // Stands in for malloc in the test process alone; counts what a frame allocates.
  .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
  .target(
    name: "TestSupport",
    dependencies: [
      "Compositing", "InferenceTypes", "Matting", "PersonSelection", "PixelTypes", "Threads",
      "VirtualBackground",
    ],
    // Makes and compares whole frames.
    path: "Tests/TestSupport", swiftSettings: strict + optimised),
  .testTarget(
    name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: strict + plain),
  .testTarget(
    name: "PixelKernelsTests", dependencies: ["Processor", "PixelTypes", "TestSupport"],
    swiftSettings: strict),
  .testTarget(
    name: "ProcessorTests", dependencies: ["Processor"], swiftSettings: strict + plain),
  .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: strict + plain),
  .testTarget(
    name: "PictureFilesTests", dependencies: ["PictureFiles", "TestSupport"],
    swiftSettings: strict + plain),
  .testTarget(
    name: "InferenceTypesTests", dependencies: ["InferenceTypes"], swiftSettings: strict + plain),
  .testTarget(
    name: "MattingTests",
    dependencies: [
      "CAllocationCounter", "InferenceTypes", "Matting", "PixelTypes", "Processor", "TestSupport",
    ],
    swiftSettings: strict + optimised),
  .testTarget(
    name: "CompositingTests",
    dependencies: ["Compositing", "PixelTypes", "Processor", "TestSupport"],
    swiftSettings: strict + optimised),
  .testTarget(
    name: "VirtualBackgroundTests",
    dependencies: [
      "CAllocationCounter", "Compositing", "InferenceTypes", "Matting", "PersonSelection",
      "PixelTypes", "Processor", "TestSupport", "Threads", "VirtualBackground",
    ],
    swiftSettings: strict),
  .testTarget(
    name: "PersonSelectionTests",
    dependencies: [
      "CAllocationCounter", "InferenceTypes", "Matting", "PersonSelection", "PixelTypes",
      "Processor", "TestSupport", "VirtualBackground",
    ],
    swiftSettings: strict + optimised),
  .testTarget(
    name: "OpenVINOInferenceTests",
    dependencies: [
      "CAllocationCounter", "InferenceTypes", "Matting", "OpenVINOInference", "PersonSelection",
      "PixelTypes", "TestSupport", "Threads", "VirtualBackground",
    ],
    swiftSettings: strict + plain),
  // GStreamer's harness for elements under test.
  .systemLibrary(
    name: "CGStreamerCheck", path: "Tests/CGStreamerCheck", pkgConfig: "gstreamer-check-1.0"),
  .target(name: "CTestSupport", dependencies: ["CGStreamer"], path: "Tests/CTestSupport"),
  .testTarget(
    name: "GstElementSupportTests",
    dependencies: ["CGStreamer", "CGStreamerCheck", "GstElementSupport"],
    swiftSettings: strict + plain),
  .testTarget(
    name: "GstVideoFilterKitTests",
    dependencies: [
      "CGStreamer", "CGStreamerCheck", "GstElementSupport", "GstVideoFilterKit", "TestSupport",
      "Threads",
    ],
    swiftSettings: strict + plain),
  // Looks at whole frames, so the optimiser works here too.
  .testTarget(
    name: "GstVBGFilterTests",
    dependencies: [
      "CAllocationCounter", "CGStreamer", "CGStreamerCheck", "CTestSupport", "CVBGFilter",
      "Compositing", "GstBackground", "GstElementSupport", "GstVBGFilter", "InferenceTypes",
      "Matting", "OpenVINOInference", "PersonSelection", "PixelTypes", "TestSupport", "Threads",
      "VirtualBackground",
    ],
    swiftSettings: strict + optimised),
  // What is fuzzed; the tests run what the fuzzers found.
  .target(
    name: "FuzzTargets",
    dependencies: [
      "CGStreamer", "CGStreamerCheck", "CTestSupport", "CVBGFilter", "Compositing",
      "GstElementSupport", "GstVBGFilter", "InferenceTypes", "Matting", "OpenVINOInference",
      "PersonSelection", "PictureFiles", "PixelTypes", "Processor", "TestSupport", "Threads",
      "VirtualBackground",
    ],
    path: "Tests/FuzzTargets", swiftSettings: strict + optimised),
  .testTarget(
    name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "TestSupport"],
    swiftSettings: strict + plain),
]

let package = Package(
  name: "vbgfilter", products: products, targets: targets + testTargets + widerKernels)

// A build for a sanitizer has few tests to run and is made anew now and then: with their names, joined
// by commas, in this variable it leaves out the other tests.
if let targets = Context.environment["VBGFILTER_TEST_TARGETS"]?.split(separator: ",") {
  package.targets.removeAll { target in
    target.type == .test && !targets.contains { $0 == target.name }
  }
}

// Links with libFuzzer only, so that nobody but meson-helper/fuzz has it in their way.
if Context.environment["VBGFILTER_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(name: "Fuzzer", dependencies: ["FuzzTargets"], path: "Tests/Fuzzer"))
}
