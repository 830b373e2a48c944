// swift-tools-version: 6.2

import PackageDescription

/// Warnings are errors, and each use of unsafe memory must be marked.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// Filters and tests process whole frames pixel by pixel, which is slow in a debug build.
let optimised: [SwiftSetting] = [
  .unsafeFlags(["-O"], .when(configuration: .debug))
]

let package = Package(
  name: "swift-filters",
  products: [
    // GStreamer derives the entry point's name from the file's: libgstswiftfilters.so.
    .library(name: "gstswiftfilters", type: .dynamic, targets: ["SwiftFilters"]),
    .executable(name: "filter-picker", targets: ["FilterPicker"]),
  ],
  dependencies: [
    .package(name: "vbgfilter", path: "../..")
  ],
  targets: [
    // This target only has headers. libgstapp links the other libraries.
    .systemLibrary(
      name: "CSwiftFilters", pkgConfig: "gstreamer-app-1.0",
      providers: [.apt(["libgstreamer-plugins-base1.0-dev"])]),
    .target(
      name: "SwiftFilters",
      dependencies: [
        .product(name: "PersonSelection", package: "vbgfilter"),
        .product(name: "GstBackground", package: "vbgfilter"),
        .product(name: "GstVideoFilterKit", package: "vbgfilter"),
        .product(name: "VirtualBackground", package: "vbgfilter"),
      ],
      swiftSettings: strict + optimised),
    // A picker of filters for a camera or a file.
    .executableTarget(
      name: "FilterPicker", dependencies: ["CSwiftFilters", "SwiftFilters"],
      swiftSettings: strict),
    .testTarget(
      name: "SwiftFiltersTests",
      dependencies: [
        "CSwiftFilters", "SwiftFilters",
        .product(name: "GstVideoFilterKit", package: "vbgfilter"),
        .product(name: "VirtualBackground", package: "vbgfilter"),
      ],
      swiftSettings: strict + optimised),
  ]
)
