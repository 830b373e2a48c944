import Compositing
import GstElementSupport
import Matting
import PixelTypes
import VirtualBackground

extension Settings {
  /// The properties that users set.
  static let table = PropertyTable<Settings>(properties, defaults: Settings())

  private static let properties: [Property<Settings>] = [
    .choice("effect", \.effect, "The replacement of the room behind the person"),
    .text(
      "background-path", \.backgroundPath,
      "Image or video behind the person: a path or a URI that GStreamer can decode. Videos "
        + "and animated GIFs loop"),
    .unsigned(
      "background-color", \.backgroundColor, isControllable: true,
      "Colour behind the person, as 0xAARRGGBB. The alpha value is ignored"),
    .number(
      "blur-radius", \.blurRadius, limits: (0, 100),
      "Blur strength: sigma in pixels of a 720-line frame. Values between 0 and 4 count as 4. 0 "
        + "shows the room unblurred"),
    .choice("blur-shape", \.blurShape, "The shape of a blurred point of light"),
    .number(
      "target-fps", \.targetFPS, limits: (0, 1000),
      "Maximum number of inferences per second, exceeded only if the last matte does not fit. 0 "
        + "means no limit"),
    .choice(
      "pacing", \.pacing,
      "The treatment of frames for which target-fps allows no inference"),
    .choice(
      "inference", \.inference,
      "When the network looks for the person. Frames without an inference get the last matte, "
        + "moved with the picture"),
    Property(
      PropertySpecification(
        "skip-still",
        "Deprecated, has no effect: inference=when-needed also saves inferences in still scenes",
        .flag, isDeprecated: true), read: { _ in .flag(false) }, change: { _ in { _ in } }),
    .flag(
      "active", \.active, "Hide the room. False passes the picture through unchanged, at no cost"),
    .choice(
      "quality", \.quality,
      "How well the person is found, and at what cost. If its network is not installed, the "
        + "next cheaper one is used"),
    .text(
      "model", \.model,
      "Network that replaces the network of quality: a file (ONNX, TFLite, OpenVINO IR), or an "
        + "installed network's name"),
    .text(
      "subjects", \.subjectList,
      "Classes to keep, as names joined by commas, for example person,dog. Only for networks "
        + "with classes"),
    .choice("fit", \.fit, "How a background of another shape is fitted to the frame"),
    .choice(
      "input-orientation", \.inputOrientation,
      "How incoming frames must be rotated to be upright. The element does not rotate the "
        + "frames themselves"),
    .choice("keep", \.matte.keep, "The people to show. All others are hidden with the room"),
    .number(
      "matte-grow", \.matte.grow, limits: (-50, 50),
      "Moves the edge of the person outward, in pixels of a 720-line frame. A negative "
        + "number moves it inward"),
    .number(
      "matte-feather", \.matte.feather, limits: (-50, 50),
      "Width of the soft edge outside of the person, in pixels of a 720-line frame. Inside if "
        + "it is negative"),
    .number(
      "smoothing", \.matte.smoothing, limits: (0, 1),
      "How much the matte is smoothed over time against flicker, from 0 (not at all) to 1 (most)"),
    .flag(
      "despill", \.despill,
      "Removes the colour of the real room from the edge of the person, for example from hair"),
    .number(
      "light-wrap", \.lightWrap, limits: (0, 1),
      "How much a new background lights the edge of the person, from 0 (not at all) to 1 (most)"),
    .number(
      "match-light", \.matchLight, limits: (0, 1),
      "How closely the person's light matches a background image or video, from 0 (off) to 1"),
    .number(
      "low-light", \.lowLight, limits: (0, 1),
      "How much to brighten dark pictures and to reduce their noise, from 0 (not at all) to "
        + "1 (like a well-lit room)"),
    .choice("framing", \.framing, "The part of the frame to show, enlarged to the frame's size"),
    .number(
      "max-zoom", \.maxZoom, limits: (1, 2),
      "With framing=follow, how much the picture may be enlarged"),
    .choice(
      "on-failure", \.onFailure,
      "The output for a frame without a matte"),
    .flag(
      "adaptive", \.adaptive,
      "When frames are late or cpu-budget is exceeded, look for the person less often, then "
        + "with a cheaper network"
    ),
    .number(
      "cpu-budget", \.cpuBudget, limits: (0, 256), nick: "CPU budget",
      "With adaptive=true or quality=auto, the share of one core's time that may be used. 0 "
        + "means no limit"),
    .flag(
      "attach-matte", \.attachMatte,
      "Attaches the matte to each frame that was composed with one, as a meta: see "
        + "vbgfilter/vbgmattemeta.h"),
    .text(
      "device", \.device, access: .ready,
      "OpenVINO's name of the device that runs the network, for example CPU or GPU"),
    .unsigned(
      "threads", \.threads, in: 0...256, access: .ready,
      "Threads of an inference, and of the pixel work of large frames. 0 means one for each "
        + "usable core"
    ),
    .unsigned(
      "stats-interval", \.statsInterval, nick: "Statistics interval",
      "Milliseconds between element messages with stats. 0 means no messages"),
  ]
}

extension Settings.Effect: PropertyChoice {
  static let typeName = "GstVBGFilterEffect"
  static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.auto, "auto", "Replace if background-path is set, otherwise blur"),
    (.blur, "blur", "Blur the room"),
    (.replace, "replace", "Put the image or video of background-path behind the person"),
    (.color, "color", "Put background-color behind the person"),
    (
      .transparent, "transparent",
      "Show only the person, with straight alpha, or in front of background-color if downstream "
        + "accepts no alpha"
    ),
    (.matte, "matte", "Show the matte: white person, black room"),
    (.none, "none", "Leave the room as it is. With framing=fixed, pass the picture through"),
  ]
}

extension EffectSettings.BlurShape: PropertyChoice {
  package static let typeName = "GstVBGFilterBlurShape"
  package static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.gaussian, "gaussian", "A soft spot"),
    (.lens, "lens", "An even disc"),
  ]
}

extension Settings.Pacing: PropertyChoice {
  static let typeName = "GstVBGFilterPacing"
  static let choices: [(value: Self, nick: String, blurb: String)] = [
    (
      .reuseMatte, "reuse-matte",
      "Blend each frame with the last matte, moved with the picture"
    ),
    (.repeatFrame, "repeat-frame", "Send the last result again, with the new frame's times"),
    (.dropFrame, "drop-frame", "Send nothing"),
  ]
}

extension MatteSettings.Inference: PropertyChoice {
  package static let typeName = "GstVBGFilterInference"
  package static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.everyFrame, "every-frame", "In every frame"),
    (
      .whenNeeded, "when-needed",
      "In frames that the moved matte does not fit, and at least every 0.2 seconds (1 in still "
        + "scenes with keep=everyone)"
    ),
  ]
}

extension Settings.QualityChoice: PropertyChoice {
  static let typeName = "GstVBGFilterQuality"
  static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.fixed(.fast), "fast", "MediaPipe selfie segmentation, the cheapest network"),
    (
      .fixed(.balanced), "balanced",
      "Robust Video Matting at 160 lines. Falls back to fast if it is not installed"
    ),
    (
      .fixed(.accurate), "accurate",
      "Robust Video Matting at 288 lines. Falls back to fast if it is not installed"
    ),
    (
      .auto, "auto",
      "The best quality that the machine can sustain for a live stream. Like balanced if the "
        + "source is not live"
    ),
  ]
}

extension BackgroundFit: PropertyChoice {
  package static let typeName = "GstVBGFilterFit"
  package static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.cover, "cover", "Fill the frame and cut off the rest"),
    (.contain, "contain", "Show the whole image, with background-color around it"),
    (.stretch, "stretch", "Fill the frame and change the proportions"),
  ]
}

extension Settings.InputOrientation: PropertyChoice {
  static let typeName = "GstVBGFilterInputOrientation"
  /// The values in the order of `GstVideoOrientationMethod`, with the same nicks.
  static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.fixed(.upright), "identity", "Not at all"),
    (.fixed(ImageOrientation(true, false, true)), "90r", "Clockwise by 90 degrees"),
    (.fixed(ImageOrientation(false, true, true)), "180", "By 180 degrees"),
    (.fixed(ImageOrientation(true, true, false)), "90l", "Counter-clockwise by 90 degrees"),
    (.fixed(ImageOrientation(false, true, false)), "horiz", "Flipped horizontally"),
    (.fixed(ImageOrientation(false, false, true)), "vert", "Flipped vertically"),
    (
      .fixed(ImageOrientation(true, false, false)), "ul-lr",
      "Flipped across the diagonal from the upper left"
    ),
    (
      .fixed(ImageOrientation(true, true, true)), "ur-ll",
      "Flipped across the diagonal from the upper right"
    ),
    (.auto, "auto", "According to the tag image-orientation of the stream"),
  ]
}

extension MatteSettings.Keep: PropertyChoice {
  package static let typeName = "GstVBGFilterKeep"
  package static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.everyone, "everyone", "Everyone"),
    (
      .nearest, "nearest",
      "The largest person, until another has been clearly larger for half a second"
    ),
    (
      .tracked, "tracked",
      "The first person. A second after they leave, another person"
    ),
  ]
}

extension EffectSettings.Framing: PropertyChoice {
  package static let typeName = "GstVBGFilterFraming"
  package static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.fixed, "fixed", "The whole frame"),
    (.follow, "follow", "A region that follows the people"),
  ]
}

extension EffectSettings.FailurePolicy: PropertyChoice {
  package static let typeName = "GstVBGFilterOnFailure"
  package static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.blur, "blur", "Blur all of it beyond recognition"),
    (.color, "color", "Show background-color alone"),
    (.hold, "hold", "Show the last good frame again"),
    (.drop, "drop", "Drop the frame"),
    (.error, "error", "End the stream with an error"),
  ]
}

extension PropertyChoice {
  /// The nick of this value, or an empty string if it is not one of the choices.
  var nick: String {
    // Debug builds allocate memory for an iterator, and this is read for each frame.
    var index = 0
    while index < Self.choices.count {
      let choice = Self.choices[index]
      if choice.value == self { return choice.nick }
      index += 1
    }
    return ""
  }
}

/// The value of `subjects`: the user's text, and its parsed form.
struct SubjectList: PropertyText, Equatable {
  let text: String
  let subjects: Subjects
  var propertyText: String? { text }

  init(propertyText: String?) {
    text = propertyText ?? ""
    subjects = Subjects(text)
  }
}
