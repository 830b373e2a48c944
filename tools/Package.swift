// swift-tools-version: 6.2

import PackageDescription

/// As in the package that the tools measure, warnings are errors, and each use of unsafe memory
/// must be marked.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

// Apart from the package of the plugin and the kit, so that packages which depend on that one do
// not read the tools.
let package = Package(
  name: "vbgfilter-tools",
  dependencies: [.package(name: "vbgfilter", path: "..")],
  targets: [
    // Errors, lines on the standard error and times, for all tools.
    .target(name: "ToolSupport", swiftSettings: strict),
    // The cost of a frame, by stages.
    .executableTarget(
      name: "vbgfilter-bench",
      dependencies: ["ToolSupport", .product(name: "VirtualBackground", package: "vbgfilter")],
      swiftSettings: strict),
    // The cost of an element made with the kit.
    .executableTarget(
      name: "filterkit-bench",
      dependencies: [
        .product(name: "CGStreamer", package: "vbgfilter"),
        .product(name: "GstVideoFilterKit", package: "vbgfilter"),
      ],
      swiftSettings: strict),
    // The faces in the frames of a file.
    .executableTarget(
      name: "find-faces",
      dependencies: ["ToolSupport", .product(name: "PersonSelection", package: "vbgfilter")],
      swiftSettings: strict),

    .testTarget(
      name: "VBGFilterBenchTests",
      dependencies: [
        "ToolSupport", "vbgfilter-bench",
        .product(name: "VirtualBackground", package: "vbgfilter"),
      ],
      swiftSettings: strict),
    // Runs the program.
    .testTarget(name: "FindFacesTests", dependencies: ["find-faces"], swiftSettings: strict),
  ]
)
