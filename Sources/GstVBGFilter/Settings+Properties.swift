import Compositing
import GstElementSupport
import InferenceTypes
import PixelTypes
import VirtualBackground

extension Settings {
  /// The properties that users set.
  static let table = PropertyTable<Settings>(properties, defaults: Settings())

  private static let properties: [Property<Settings>] = [
    .choice("effect", \.effect, "What becomes of the room behind the person"),
    .text(
      "background-path", \.backgroundPath,
      "Image or video to put behind the person: a path, relative to the working directory, or a URI of "
        + "whatever GStreamer decodes. Videos and animated GIFs loop; of a live source the newest "
        + "picture is shown. While it loads, the old background stays"),
    .unsigned(
      "background-color", \.backgroundColor, isControllable: true,
      "Colour for effect=color, on-failure=color, effect=transparent without alpha, around a "
        + "contained image and behind a transparent one, as 0xAARRGGBB; the alpha is ignored"),
    .number(
      "blur-radius", \.blurRadius, in: 0...100,
      "Sigma of the blur in pixels of a 720-line frame, scaled with the height of the frame: the "
        + "same look at any size; 0 shows the room as it is; less than 4, or than 4 pixels of a small "
        + "frame, is raised to that"),
    .number(
      "target-fps", \.targetFPS, in: 0...1000,
      "Maximum number of times per second that the network looks for the person, exceeded only for "
        + "a frame that the last matte does not fit; 0 means no limit but the one that inference sets"
    ),
    .choice(
      "pacing", \.pacing,
      "What is done with the frames that target-fps leaves without an inference"),
    .choice(
      "inference", \.inference,
      "In which frames the network looks for the person, at most target-fps times per second; the "
        + "other frames show the last matte, moved with the picture"),
    .deprecatedFlag(
      "skip-still",
      "Deprecated, has no effect: inference=when-needed looks for the person once per second while "
        + "nothing moves"),
    .flag(
      "active", \.active, "Hide the room; false lets the picture through as it is, at no cost"),
    .choice(
      "quality", \.quality,
      "How well the person is found, and at what cost; a network that is not installed is replaced "
        + "by the next cheaper one (see current-quality)"),
    .text(
      "model", \.model,
      "A network's file (ONNX, TFLite or OpenVINO IR) to use instead of the one that quality "
        + "chooses: a path, or the name of an installed one, u2netp.onnx for example"),
    .text(
      "subjects", \.subjectList,
      "What is kept, for networks that know classes: names joined by commas, person,dog for "
        + "example; other networks keep what they know"),
    .choice("fit", \.fit, "How an image of other proportions is brought into the frame"),
    .choice(
      "input-orientation", \.inputOrientation,
      "How the frames that come in have to be turned to be upright, so that people are found in them and "
        + "backgrounds are upright when they are displayed. The frames themselves are not turned"),
    .choice(
      "keep", \.keep, "Which people are shown; all others are hidden with the room"),
    .number(
      "matte-grow", \.matteGrow, in: -50...50,
      "Moves the edge of what is kept outward, in pixels of a 720-line frame; negative moves it "
        + "inward"),
    .number(
      "matte-feather", \.matteFeather, in: -50...50,
      "Width of a ramp outside of the edge of what is kept, in pixels of a 720-line frame: what was "
        + "opaque stays so; negative puts it inside: what was transparent stays so"),
    .number(
      "smoothing", \.smoothing, in: 0...1,
      "Steadiness of the matte from frame to frame: 0 is none, 1 the strongest"),
    .flag(
      "despill", \.despill,
      "Takes the colour of the sharp room out of the edge of what is kept; before a blurred room only "
        + "with the exact edges of balanced and accurate"),
    .number(
      "light-wrap", \.lightWrap, in: 0...1,
      "How much light of an image or colour falls on the rim of what stands before it: 0 is none, "
        + "1 the most; a blurred room and transparent give none"),
    .choice(
      "on-failure", \.onFailure,
      "What goes out instead of a frame in which the room cannot be told from the person"),
    .flag(
      "adaptive", \.adaptive,
      "When frames are late or cpu-budget is exceeded, look for the person less often, then with a "
        + "cheaper network; go back when the load allows it. The effect stays. Each step is a QoS message"
    ),
    .number(
      "cpu-budget", \.cpuBudget, in: 0...256, nick: "CPU budget",
      "With adaptive=true or quality=auto, the share of one core's time that may be used: 0.5 is half a "
        + "core; 0 is no limit"),
    .flag(
      "attach-matte", \.attachMatte,
      "Attaches the matte to each frame that was composed with one, for other elements and the "
        + "application: see vbgfilter/vbgmattemeta.h"),
    .text(
      "device", \.device, access: .ready,
      "OpenVINO's name of the device that runs the network, CPU or GPU for example"),
    .unsigned(
      "threads", \.threads, in: 0...256, access: .ready,
      "Threads of an inference, and of the pixel work of large frames; 0 means as many as there are "
        + "cores to use"),
    .unsigned(
      "stats-interval", \.statsInterval, nick: "Statistics interval",
      "Post stats as an element message every so many milliseconds; 0 means never"),
  ]
}

extension Settings.Effect: PropertyChoice {
  static let typeName = "GstVBGFilterEffect"
  static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.auto, "auto", "Replace when there is a background-path, else blur"),
    (.blur, "blur", "Blur the room"),
    (.replace, "replace", "Put the image or video of background-path behind the person"),
    (.color, "color", "Put background-color behind the person"),
    (
      .transparent, "transparent",
      "Show the person alone, with straight alpha; background-color, and a warning, where downstream "
        + "takes no alpha"
    ),
    (.matte, "matte", "Show the matte: white person, black room"),
    (.none, "none", "Let the picture through as it is"),
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

extension EffectSettings.Inference: PropertyChoice {
  package static let typeName = "GstVBGFilterInference"
  package static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.everyFrame, "every-frame", "In every frame"),
    (
      .whenNeeded, "when-needed",
      "In frames that the moved matte does not fit, every 0.15 seconds while something moves, and once "
        + "per second while nothing does; a live pipeline gets a latency if an inference takes longer "
        + "than a frame lasts"
    ),
  ]
}

extension Settings.QualityChoice: PropertyChoice {
  static let typeName = "GstVBGFilterQuality"
  static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.fixed(.fast), "fast", "MediaPipe selfie segmentation: about 1 ms a frame"),
    (
      .fixed(.balanced), "balanced",
      "Robust Video Matting at 160 lines, else as fast"
    ),
    (.fixed(.accurate), "accurate", "Robust Video Matting at 288 lines, else as balanced"),
    (
      .auto, "auto",
      "The best of them that the machine can sustain at the rate and size of a live stream, beginning "
        + "with fast: the next is measured beside it, and each step is a QoS message. As balanced where "
        + "the source is not live"
    ),
  ]
}

extension BackgroundFit: PropertyChoice {
  package static let typeName = "GstVBGFilterFit"
  package static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.cover, "cover", "Fill the frame and cut off what is over"),
    (.contain, "contain", "Show the whole image, with background-color around it"),
    (.stretch, "stretch", "Fill the frame, whatever becomes of the proportions"),
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
    (.auto, "auto", "As the tag image-orientation of the stream says"),
  ]
}

extension EffectSettings.Keep: PropertyChoice {
  package static let typeName = "GstVBGFilterKeep"
  package static let choices: [(value: Self, nick: String, blurb: String)] = [
    (.everyone, "everyone", "Everyone"),
    (
      .nearest, "nearest",
      "The largest person, or whoever stands close before them, until another is clearly larger "
        + "for half a second"
    ),
    (
      .tracked, "tracked",
      "The person who was there first; a second after they left, whoever is there"
    ),
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
  /// The nick of the value.
  var nick: String { Self.choices.first { $0.value == self }?.nick ?? "" }
}

/// The value of `subjects`: as the user wrote it, and as it was read.
struct SubjectList: PropertyReading, Equatable {
  let text: String
  let subjects: Subjects

  init(_ text: String) {
    self.text = text
    subjects = Subjects(text)
  }
}
