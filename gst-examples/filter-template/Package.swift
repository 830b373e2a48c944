// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "myfilters",
  products: [
    // GStreamer derives the name of the entry point from the file name libgstmyfilters.so.
    .library(name: "gstmyfilters", type: .dynamic, targets: ["MyFilters"])
  ],
  dependencies: [
    // The path of vbgfilter's source tree. You can also use .package(url:from:).
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
