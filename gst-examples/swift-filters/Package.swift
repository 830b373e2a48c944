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
    .library(name: "gstswiftfilters", type: .dynamic, targets: ["SwiftFilters"])
  ],
  dependencies: [
    .package(name: "vbgfilter", path: "../..")
  ],
  targets: [
    // Reads a picture from a file.
    .systemLibrary(
      name: "CGStreamerApp", pkgConfig: "gstreamer-app-1.0",
      providers: [.apt(["libgstreamer-plugins-base1.0-dev"])]),
    .target(name: "CImageReader", dependencies: ["CGStreamerApp"]),
    .target(
      name: "SwiftFilters",
      dependencies: [
        "CImageReader", .product(name: "FaceDetection", package: "vbgfilter"),
        .product(name: "GstVideoFilterKit", package: "vbgfilter"),
      ],
      swiftSettings: strict + optimised),
    .testTarget(
      name: "SwiftFiltersTests",
      dependencies: [
        "SwiftFilters", .product(name: "GstVideoFilterKit", package: "vbgfilter"),
      ],
      swiftSettings: strict + optimised),
  ]
)
