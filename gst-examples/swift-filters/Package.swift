// swift-tools-version: 6.2

import PackageDescription

/// Settings that turn warnings into errors and require `unsafe` for each use of unsafe memory.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// Settings that optimise debug builds, because filters and tests process frames pixel by pixel.
let optimised: [SwiftSetting] = [
  .unsafeFlags(["-O"], .when(configuration: .debug))
]

let package = Package(
  name: "swift-filters",
  products: [
    // GStreamer derives the name of the entry point from the file name libgstswiftfilters.so.
    .library(name: "gstswiftfilters", type: .dynamic, targets: ["SwiftFilters"]),
    .executable(name: "filter-picker", targets: ["FilterPicker"]),
  ],
  dependencies: [
    .package(name: "vbgfilter", path: "../..")
  ],
  targets: [
    // This target has only headers. One name is enough, because gstreamer-app-1.0 depends on
    // GStreamer's other libraries.
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
    // A program that plays a camera or a file through filters that the user chooses.
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
