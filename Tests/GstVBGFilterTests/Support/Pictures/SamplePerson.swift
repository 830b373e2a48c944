import CGStreamer
import CVBGFilter
import Glibc
import Matting
import OpenVINOInference
import TestSupport
import Testing

@testable import GstVBGFilter

/// The pictures that the setup downloads: a person, and a sky without a person.
enum Sample: String {
  case person = "astronaut.png"
  case sky = "hubble_deep_field.jpg"

  /// Whether the pictures and the networks of the quality ladder are available.
  static let isReady =
    person.path != nil && sky.path != nil
    && QualityLadder.files.allSatisfy(has)

  /// Whether a network is installed.
  static func has(_ network: String) -> Bool {
    isReadable(OpenVINOModelLoader.modelsFolder() + "/" + network)
  }

  private static func isReadable(_ path: String) -> Bool {
    unsafe access(path, R_OK) == 0
  }

  /// The path of the file, if the folder in the environment contains it.
  var path: String? {
    guard let folder = unsafe getenv("VBGFILTER_SAMPLE_DIR") else { return nil }
    let path = unsafe String(cString: folder) + "/" + rawValue
    return Self.isReadable(path) ? path : nil
  }

  /// Decodes the picture in a framing.
  func picture(_ framing: Framing, colorimetry: String = "bt709") throws -> TestPicture {
    try framing.decode(
      try #require(path), size: self == .person ? 512 : nil, scaling: "bilinear",
      colorimetry: colorimetry)
  }
}

/// How a camera would show the sample person.
enum Framing: CaseIterable {
  /// Head and shoulders, 1280x720.
  case landscape
  /// From the head to the waist, 720x1280.
  case portrait

  var width: Int { self == .landscape ? 1280 : 720 }
  var height: Int { self == .landscape ? 720 : 1280 }

  /// The visible part of the square picture.
  private var crop: String {
    self == .landscape ? "videocrop bottom=224" : "videocrop left=112 right=112"
  }

  /// Reads the silhouette of the sample person.
  func silhouette() throws -> Silhouette {
    let path = TestFile.fixture("mattes/astronaut.png")
    return Silhouette(
      try decode(path, size: 512, scaling: "nearest-neighbour", colorimetry: "1:3:5:1"))
  }

  /// Decodes a picture.
  ///
  /// If `size` is given, the picture is a square of that size and is cropped first.
  fileprivate func decode(
    _ path: String, size: Int?, scaling: String, colorimetry: String
  ) throws -> TestPicture {
    let stream = try StreamFormat(width: width, height: height, colorimetry: colorimetry)
    let pipeline = try RunningPipeline(
      "filesrc location=\"\(path)\" ! decodebin ! \(size == nil ? "identity" : crop) ! "
        + "videoscale method=\(scaling) add-borders=false ! "
        + "video/x-raw,width=\(width),height=\(height) ! "
        + "videoconvert ! video/x-raw,format=NV12,colorimetry=\(colorimetry) ! "
        + "appsink name=sink sync=false")
    try #require(pipeline.change(to: GST_STATE_PLAYING))
    let buffer = unsafe try #require(pipeline.pull(), "\(path) cannot be decoded")
    defer { unsafe GStreamer.unrefMini(buffer) }
    return unsafe try stream.picture(in: buffer)
  }
}
