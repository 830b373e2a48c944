// swift-tools-version: 6.2

import PackageDescription

/// A warning is an error, and each use of unsafe memory is marked where it stands.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
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
    .target(
      name: "SwiftFilters",
      dependencies: [.product(name: "GstVideoFilterKit", package: "vbgfilter")],
      swiftSettings: strict),
    .testTarget(
      name: "SwiftFiltersTests",
      dependencies: [
        "SwiftFilters", .product(name: "GstVideoFilterKit", package: "vbgfilter"),
      ],
      swiftSettings: strict),
  ]
)
