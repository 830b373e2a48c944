// swift-tools-version: 6.2

import PackageDescription

/// A warning is an error, and each use of unsafe memory is marked where it stands.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// Whole frames are looked at pixel by pixel, in tests too, which a debug build is slow at.
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
    // Headers only; libgstapp brings the others.
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
