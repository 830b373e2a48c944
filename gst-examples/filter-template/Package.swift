// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "myfilters",
  products: [
    // GStreamer derives the entry point's name from the file's: libgstmyfilters.so.
    .library(name: "gstmyfilters", type: .dynamic, targets: ["MyFilters"])
  ],
  dependencies: [
    // The path of vbgfilter, or .package(url:from:).
    .package(name: "vbgfilter", path: "../..")
  ],
  targets: [
    .target(
      name: "MyFilters",
      dependencies: [.product(name: "GstVideoFilterKit", package: "vbgfilter")]),
    .testTarget(
      name: "MyFiltersTests",
      dependencies: [
        "MyFilters", .product(name: "GstVideoFilterKit", package: "vbgfilter"),
      ]),
  ]
)
